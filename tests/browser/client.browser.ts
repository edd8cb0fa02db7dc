import path from 'node:path'
import { build } from 'esbuild'
import { createEventsClient } from '../../lib/client/create-events-client.ts'
import { type Listening, listen } from '../support/http/listen.ts'
import { useBrowser } from './use-browser.ts'
import { useLocalStack } from './use-local-stack.ts'

const stack = useLocalStack()
const browser = useBrowser()
const CLIENT = path.join(import.meta.dirname, '../../lib/client/create-events-client.ts')
let site: Listening

beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: `export * from ${JSON.stringify(CLIENT)}`, resolveDir: path.dirname(CLIENT) },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'client',
    platform: 'browser',
  })
  const [script] = outputFiles
  site = await listen((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' })
    response.end(`<!doctype html><link rel="icon" href="data:,"><script>${script?.text}</script>`)
  })
})
afterAll(() => site.stop())

test('a page of another origin walks all pages of a user with the client', async () => {
  const { page, complaints } = await browser.open()
  await page.goto(site.baseUrl)
  const address = '0x1e0049783f008a0085193e00003d00cd54003c71'
  const expected: string[] = []
  for await (const { id } of createEventsClient(stack.baseUrl).eachUserEvent(address, { limit: 500 }))
    expected.push(id)
  const walk = `(async () => {
    const events = client.createEventsClient(${JSON.stringify(stack.baseUrl)})
    const ids = []
    for await (const { id } of events.eachUserEvent(${JSON.stringify(address)}, { limit: 100 })) ids.push(id)
    return ids
  })()`

  expect(await page.evaluate(walk)).toEqual(expected)
  expect(expected.length).toBeGreaterThan(200)
  expect(complaints).toEqual([])
})

test('a page of another origin is told what is wrong with a query', async () => {
  const { page } = await browser.open()
  await page.goto(site.baseUrl)
  const ask = `client.createEventsClient(${JSON.stringify(stack.baseUrl)}).tokenEvents({ limit: 0 })
    .catch(({ name, errors }) => ({ name, errors }))`

  expect(await page.evaluate(ask)).toEqual({
    name: 'InvalidParametersError',
    errors: [{ parameter: 'limit', message: expect.any(String) }],
  })
})
