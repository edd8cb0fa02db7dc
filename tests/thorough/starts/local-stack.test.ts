import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fetchPatiently } from '../../support/http/fetch-patiently.ts'
import { idsAt, idsServedBy, type PlacedStack, useLocalStacks } from '../../support/programs/local-stack.ts'
import { descendantsOf, untilEnded } from '../../support/programs/process-family.ts'
import { useTextFiles } from '../../support/programs/text-files.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { ndjson, rawLogOf } from '../../support/records/raw-log-of.ts'
import { useOwnEngine } from '../../support/store/engine.ts'
import { engineName } from '../../support/store/engine-name.ts'

const runningEngine = useOwnEngine()
const { folder, run, runReady, stopAll, eventFile } = useLocalStacks()
const writeText = useTextFiles()
const few = eventFile(0, 30)
const others = eventFile(30, 50)
const real = new Set(eventFile(0, 1589).ids)

interface Operation {
  parameters?: {
    name: string
    in: string
    description: string
    example?: string
    schema: { examples?: unknown[] }
  }[]
}

/** Returns a request for each example of a parameter. A token id also needs the address of its contract. */
function examplesOf(route: string, { parameters = [] }: Operation) {
  const exampleOf = (wanted: string) =>
    String(parameters.find(({ name }) => name === wanted)?.schema.examples?.[0])
  const path = parameters.reduce((text, { name, example }) => text.replace(`{${name}}`, `${example}`), route)
  return parameters
    .filter(each => each.in === 'query')
    .flatMap(({ name, description, schema: { examples = [] } }) =>
      examples.map(example => {
        const query = new URLSearchParams(
          [example].flat().map((value): [string, string] => [name, String(value)]),
        )
        if (name === 'tokenId') query.set('address', exampleOf('address'))
        if (route === '/v1/changes' && !['from', 'cursor'].includes(name)) query.set('from', 'beginning')
        return { request: `${path}?${query}`, description }
      }),
    )
}

/** The tests form a sequence: each continues in the previous test's folder. */
describe('one data folder, start after start', () => {
  afterAll(stopAll)

  const kept = ['--engine', engineName(), '--data-dir', path.join(folder, 'kept')]
  const start = (...options: string[]) => run([...kept, ...options])
  let bundled: string[]

  test('lets no request in while loading', async () => {
    const endless = Array.from({ length: 50_000 }, (_, logIndex) => makeEvent('Minted', { logIndex }))
    const file = await writeText('endless.ndjson', ndjson(endless.map(rawLogOf)))
    const interrupted = await start('--events', file)
    await interrupted.untilPrinted('Loading')

    await expect(fetch(interrupted.url)).rejects.toThrow('fetch failed')
    interrupted.child.kill('SIGKILL')
    await interrupted.ended
    expect(interrupted.printed.all).not.toContain('loaded')
  })

  test('loads the bundled events where loading was interrupted, and says how to ask for them', async () => {
    const stack = await runReady(kept)
    const samples = [...stack.printed.all.matchAll(/^ {2}curl '(.+)'$/gm)].map(match => String(match[1]))
    const shown = await Promise.all(samples.map(idsAt))
    bundled = await idsServedBy(stack)

    expect(shown).toHaveLength(3)
    for (const ids of shown) expect(ids).not.toEqual([])
    expect(shown.flat().filter(id => real.has(id))).not.toEqual([])
    expect(bundled).toHaveLength(500)
    const [userEvents, tokenEvents, changes] = functionsOf(stack)
    expect(await post(userEvents, { address: `0x${'a'.repeat(40)}` })).toHaveProperty('events', [])
    expect(await post(tokenEvents, { query: { limit: 1 } })).toHaveProperty('events.0.id')
    expect(await post(changes, { query: { from: 'beginning', limit: 1 } })).toHaveProperty('changes.0.change')
    expect(await endBy(stack, () => stack.child.kill('SIGINT'))).toBe(0)
  })

  describe('started again', () => {
    let stack: PlacedStack
    beforeAll(async () => {
      stack = await runReady(kept)
    })

    test('keeps its events', async () => {
      expect(stack.printed.all).toContain(
        'The table contains events from an earlier start (--fresh discards them)\n',
      )
      expect(await idsServedBy(stack)).toEqual(bundled)
    })

    test('leads a browser to the page, and leaves every answer to the functions, as API Gateway does', async () => {
      const [page = ''] = /http:\/\/\S+/.exec(stack.printed.all) ?? []
      const html = await fetch(page, { headers: { accept: 'text/html' } })
      const docs = await fetch(`${stack.url}/docs/`)
      const url = `${stack.url}/v1/token-events?limit=20`
      const plain = await fetchPatiently(url)
      const origin = 'https://a.example'
      const headers = { 'accept-encoding': 'identity', range: 'bytes=0-9', origin, cookie: 'a=;b,"' }
      const asked = await fetchPatiently(url, { headers })
      const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin } })

      expect(page).toBe(`${stack.url}/`)
      expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect((await fetch(`${stack.url}/page/explorer.css`)).status).toBe(200)
      expect([docs.status, docs.url]).toEqual([200, `${stack.url}/docs`])
      expect(plain.headers.get('link')).toContain(`<${stack.url}/v1/token-events?`)
      expect([asked.status, await asked.text()]).toEqual([200, await plain.text()])
      for (const name of ['access-control-allow-credentials', 'accept-ranges', 'content-encoding'])
        expect(asked.headers.has(name)).toBe(false)
      expect(preflight.status).toBe(204)
    })

    test('finds events by every request that llms.txt shows', async () => {
      const text = await (await fetchPatiently(`${stack.url}/llms.txt`)).text()
      const shown = [...text.matchAll(/http\S+\/v1\/(user-events|token-events|changes)\S*/g)]

      expect(shown.map(([, resource]) => resource)).toEqual([
        ...Array(3).fill('user-events'),
        ...Array(3).fill('token-events'),
        ...Array(2).fill('changes'),
      ])
      for (const [url] of shown) {
        expect(url.startsWith(`${stack.url}/v1/`)).toBe(true)
        const answer = await fetch(url)
        expect([url, answer.status]).toEqual([url, 200])
        expect([url, (await answer.json()) as unknown[]]).not.toEqual([url, []])
      }
    })

    test('finds events by every example of a parameter, or its description says that it needs --live', async () => {
      const document = await fetchPatiently(`${stack.url}/v1/openapi.json`)
      const { paths } = (await document.json()) as Record<'paths', Record<string, { get: Operation }>>
      const examples = Object.entries(paths).flatMap(([route, { get }]) => examplesOf(route, get))

      expect(examples.length).toBeGreaterThan(40)
      for (const { request, description } of examples) {
        const answer = await fetch(`${stack.url}${request}`)
        const hasFound = /0x[0-9a-f]{64}/.test(await answer.text()) && answer.ok
        if (!hasFound) expect([request, description]).toEqual([request, expect.stringContaining('--live')])
      }
    })

    test('logs nothing of headers, values or bodies', async () => {
      const secret = 'never-to-be-seen'
      const headers = { authorization: `Bearer ${secret}`, cookie: `session=${secret}`, 'x-api-key': secret }
      const answer = await fetchPatiently(`${stack.url}/v1/token-events?limit=1`, { headers })
      const query = `network=${secret}&${secret}=1`
      const refused = await fetch(`${stack.url}/v1/user-events/${'a'.repeat(42)}?${query}`, { headers })
      const log = readFileSync(path.join(folder, 'kept', 'api.log'), 'utf8')

      expect([answer.status, refused.status]).toEqual([200, 400])
      expect(log).toContain(String(refused.headers.get('x-request-id')))
      expect(log).not.toMatch(new RegExp(`${secret}|"level":"ERROR"|node_modules`))
      expect(stack.printed.errors).toBe('')
    })

    test('ends on a signal with all its parts', async () => {
      expect(await endBy(stack, () => stack.child.kill('SIGTERM'))).toBe(0)
    })
  })

  test('refuses other files', async () => {
    const refused = await start('--events', others.name)

    expect(await refused.ended).toBe(1)
    expect(refused.printed.all).toMatch(
      /^The table in .+ contains other events; use --fresh to replace it\n$/,
    )
  })

  test('forgets its events with --fresh, and ends when a part of it does', async () => {
    const stack = await runReady([...kept, '--events', others.name, '--fresh'])

    expect(stack.printed.all).toContain('Loading')
    expect(await idsServedBy(stack)).toEqual(others.ids)
    expect(await endBy(stack, ([part]) => process.kill(Number(part), 'SIGKILL'))).toBe(1)
    expect(stack.printed.errors).toMatch(/^The (engine|API) .*ended \(SIGKILL\).*\n$/)
  })

  test('keeps events of other files where none are named', async () => {
    const stack = await runReady(kept)

    expect(stack.printed.all).toContain(
      'The table contains events from an earlier start that loaded other files (--fresh',
    )
    expect(await idsServedBy(stack)).toEqual(others.ids)
    expect(await endBy(stack, () => stack.child.kill('SIGKILL'))).toBe(null)
  })
})

test("fills a DynamoDB that runs already with a node's reply, and does not replace its events without --fresh", async () => {
  const { endpoint } = runningEngine
  const options = ['--endpoint', endpoint, '--data-dir', path.join(folder, 'endpoint')]
  const logs = readFileSync(few.name, 'utf8')
    .split('\n')
    .map(line => JSON.parse(line))
  const [{ network }] = logs
  const result = logs.filter(log => log.network === network).map(({ network: _, ...log }) => log)
  const reply = await writeText('reply.json', JSON.stringify({ jsonrpc: '2.0', id: 1, result }))
  const stack = await runReady([...options, '--events', reply, '--network', network])
  expect(await idsServedBy(stack)).toHaveLength(result.length)
  await stopAll()

  const refused = await run([...options, '--events', others.name])
  expect(await refused.ended).toBe(1)
  expect(refused.printed.errors).toBe(
    `The table events at ${endpoint} contains other events; use --fresh to replace it\n`,
  )
})

function functionsOf(stack: PlacedStack): string[] {
  const [, lambda, names = ''] = /Lambda +(\S+) \((.+)\)/.exec(stack.printed.all) ?? []
  return names.split(', ').map(name => `${lambda}/2015-03-31/functions/${name}/invocations`)
}

async function post(url = '', payload: object): Promise<unknown> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(payload) })
  return answer.json()
}

/** Returns the exit code after all of the stack's processes have ended. `end` gets the parts of the stack. */
async function endBy(stack: PlacedStack, end: (parts: number[]) => unknown): Promise<number | null> {
  const family = descendantsOf(stack.child.pid)
  expect(family.length).toBeGreaterThanOrEqual(2)
  end(family)
  const exitCode = await stack.ended
  await untilEnded(family)
  await expect(fetch(stack.url)).rejects.toThrow('fetch failed')
  return exitCode
}
