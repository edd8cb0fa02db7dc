import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { fetchPatiently } from '../../support/http/fetch-patiently.ts'
import { idsAt, idsServedBy, type PlacedStack, useLocalStacks } from '../../support/programs/local-stack.ts'
import { engineName } from '../../support/store/engine-name.ts'
import { LOCAL_ACCESS } from '../../support/store/local-client.ts'

const { folder, run, eventFile } = useLocalStacks()
const few = eventFile(0, 30)
const others = eventFile(30, 50)
let one: PlacedStack
let two: PlacedStack

beforeAll(async () => {
  const engine = ['--engine', engineName()]
  one = await run([...engine, '--events', few.name, '--data-dir', path.join(folder, 'one')])
  two = await run([...engine, '--events', others.name, '--data-dir', path.join(folder, 'two')])
  await Promise.all([one.untilReady(), two.untilReady()])
})

test('two stacks side by side serve their own events and no others', async () => {
  expect(await idsServedBy(one)).toEqual(few.ids)
  expect(await idsServedBy(two)).toEqual(others.ids)
})

test('prints the address of the page first, which browsers are given there', async () => {
  const browser = { headers: { accept: 'text/html' } }
  const page = await fetch(`${one.url}/`, browser)
  const [printed] = /http:\/\/\S+/.exec(one.output()) ?? []
  const docs = await fetch(`${one.url}/docs/`, browser)

  expect(printed).toBe(`${one.url}/`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect((await fetch(`${one.url}/page/explorer.css`)).status).toBe(200)
  expect([docs.status, docs.url]).toEqual([200, `${one.url}/docs`])
})

test('tells how current it is, which nobody knows of loaded files', async () => {
  const manifest = new URL('../../../package.json', import.meta.url)
  const { version } = JSON.parse(await readFile(manifest, 'utf8'))

  for (const path of ['/', '/v1/status']) {
    expect(await (await fetch(`${one.url}${path}`)).json()).toEqual({ version, networks: [] })
  }
})

test('prints where it is, and three requests that return something', async () => {
  const samples = [...one.output().matchAll(/^ {2}curl '(.+)'$/gm)].map(match => String(match[1]))

  expect(one.output()).toContain(`API       ${one.url}\n`)
  expect(one.errors()).toBe('')
  expect(samples).toHaveLength(3)
  for (const sample of samples) expect(await idsAt(sample)).not.toEqual([])
})

test('leaves every answer to the functions, as API Gateway does', async () => {
  const url = `${one.url}/v1/token-events?limit=20`
  const plain = await fetchPatiently(url)
  const whole = { 'accept-encoding': 'identity', range: 'bytes=0-9' }
  const asked = await fetchPatiently(url, {
    headers: { ...whole, origin: 'https://example.org', cookie: 'a=;b,"' },
  })
  const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin: 'https://example.org' } })

  expect(plain.headers.get('content-type')).toBe('application/json')
  expect(plain.headers.get('link')).toContain(`<${one.url}/v1/token-events?`)
  expect(asked.status).toBe(200)
  expect(await asked.text()).toBe(await plain.text())
  for (const name of ['access-control-allow-credentials', 'accept-ranges', 'content-encoding']) {
    expect(asked.headers.has(name)).toBe(false)
  }
  expect(preflight.status).toBe(204)
})

test('can be invoked as functions in AWS Lambda are', async () => {
  const found = await invoke('tokenEvents', { query: { limit: 500 } })
  const refused = await invoke('userEvents', { address: '0x0' })

  expect(found.failed).toBeUndefined()
  expect(found.events.map((event: { id: string }) => event.id).sort()).toEqual(others.ids)
  expect(refused).toMatchObject({ failed: 'Unhandled', errorType: 'InvalidQueryError' })
})

async function invoke(name: string, payload: object) {
  const [, endpoint = ''] = /Lambda +(\S+)/.exec(two.output()) ?? []
  const lambda = new LambdaClient({ ...LOCAL_ACCESS, endpoint })
  const answer = await lambda.send(
    new InvokeCommand({
      FunctionName: `blockchain-events-local-${name}`,
      Payload: Buffer.from(JSON.stringify(payload)),
    }),
  )
  return { failed: answer.FunctionError, ...JSON.parse(Buffer.from(answer.Payload ?? '').toString()) }
}
