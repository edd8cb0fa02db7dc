import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/client/stdio'
import { freePort } from '../../../infra/local/processes/listen-at.ts'
import { usersOf } from '../../../lib/events/lists.ts'
import { compareByTime, placeOf } from '../../../lib/events/place.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { PARAMETERS } from '../../../lib/query/parameters.ts'
import { listen, listenForChanges, SERVED_VERSION } from '../../support/http/listen.ts'
import { codeIn } from '../../support/programs/readme-recipes.ts'
import { runCommand, startProcess } from '../../support/programs/run-command.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { byId } from '../../support/records/by-id.ts'
import { useStarted, useStops } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const COMMAND = path.join(ROOT, 'infra/commands/mcp.ts')
const engine = useEngine()
const RECORDS = eventSetOf({ blocks: 8, events: 4 }, 5)
const NEWEST_FIRST = RECORDS.toSorted((a, b) => compareByTime(placeOf(b), placeOf(a)))
/** The default page size that the README promises. */
const PAGE = 10

const service = useStarted(async () =>
  listenForChanges({ client: engine.reader, tableName: await engine.createEventsTable(RECORDS) }),
)
const stopLater = useStops()
const clients: Client[] = []

afterEach(async () => {
  await Promise.all(clients.splice(0).map(client => client.close()))
})

type Era = 'legacy' | 'auto'

/** `legacy` uses the revisions of the protocol before 2026. */
async function connect(server: StdioServerParameters, era: Era = 'legacy'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } })
  clients.push(client)
  await client.connect(new StdioClientTransport({ stderr: 'ignore', ...server }))
  return client
}

const connectTo = (args: string[], era?: Era) =>
  connect({ command: process.execPath, args: [COMMAND, ...args] }, era)

async function call(client: Client, name: string, given?: Record<string, unknown>) {
  const { isError = false, content } = await client.callTool({ name, ...(given && { arguments: given }) })
  const [first] = content
  return { isError, text: first?.type === 'text' ? first.text : '' }
}

/** `told` contains the named values from the lines above the JSON. */
async function page(client: Client, name: string, given: Record<string, unknown> = {}) {
  const { isError, text } = await call(client, name, given)
  expect([isError, text]).toEqual([false, expect.stringMatching(/\n\[.*\]$/s)])
  const lines = text.split('\n')
  const told = Object.fromEntries(lines.slice(0, -1).map(line => line.split(': ', 2)))
  return { told, records: JSON.parse(lines.at(-1) ?? '') as EventRecord[] }
}

describe.each(['legacy', 'auto'] as const)('a client that negotiates by %s', era => {
  test('finds a tool for each endpoint, with the parameters of the endpoint', async () => {
    const client = await connectTo([service.baseUrl], era)
    const { tools } = await client.listTools()
    const parametersOf = Object.fromEntries(
      tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {}).sort()]),
    )

    expect(parametersOf).toEqual({
      user_events: ['address', ...Object.keys(PARAMETERS['user-events'])].sort(),
      token_events: Object.keys(PARAMETERS['token-events']).sort(),
      changes: Object.keys(PARAMETERS.changes).sort(),
      status: [],
    })
    for (const { name, title, description, inputSchema, annotations } of tools) {
      expect([name, title, description]).toEqual([name, expect.any(String), expect.any(String)])
      expect(annotations).toMatchObject({ readOnlyHint: true })
      expect(inputSchema.required).toEqual(name === 'user_events' ? ['address'] : [])
      if (name !== 'status') expect(inputSchema.properties).toMatchObject({ limit: { default: PAGE } })
    }
    expect(client.getInstructions()).toContain('Sums of quantities must count transfers only')
  })

  test('reads all events page by page, by the next cursor', async () => {
    const client = await connectTo([service.baseUrl], era)
    const read: EventRecord[] = []
    for (let cursor: string | undefined; read.length < RECORDS.length; ) {
      const { told, records } = await page(client, 'token_events', { cursor })
      expect(records).toHaveLength(Math.min(PAGE, RECORDS.length - read.length))
      read.push(...records)
      cursor = told['next cursor']
    }

    expect(read).toEqual(NEWEST_FIRST)
  })
})

describe('a tool', () => {
  let client: Client
  beforeEach(async () => {
    client = await connectTo([service.baseUrl])
  })

  test('takes lists, numbers and booleans, texts of them, and null for what is left out', async () => {
    const wanted = NEWEST_FIRST.filter(
      ({ network, event }) => network === 'base' && ['Minted', 'TransferSingle'].includes(event),
    )
    const given = { network: ['base'], event: ['Minted', 'TransferSingle'], limit: 2, count: true }
    const asTexts = { network: 'base', event: 'Minted,TransferSingle', limit: '2', count: 'true' }

    expect(wanted.length).toBeGreaterThan(2)
    for (const each of [given, asTexts]) {
      const { told, records } = await page(client, 'token_events', { ...each, from: null })
      expect(records).toEqual(wanted.slice(0, 2))
      expect(told).toMatchObject({ 'X-Total-Count': String(wanted.length) })
    }
  })

  test('takes the two meanings of blockNumber', async () => {
    const [{ blockNumber }] = NEWEST_FIRST as [EventRecord]
    const { records } = await page(client, 'token_events', { blockNumber: [blockNumber, 'asc'], limit: 500 })

    expect(byId(records)).toEqual(byId(RECORDS.filter(record => record.blockNumber === blockNumber)))
  })

  test('tells of a user, whose address stands in the path', async () => {
    const [user = ''] = usersOf(NEWEST_FIRST[0] as EventRecord)
    const { told, records } = await page(client, 'user_events', { address: user, limit: 500 })

    expect(records).toEqual(NEWEST_FIRST.filter(record => usersOf(record).includes(user)))
    expect(told['next cursor']).toBe('none, because this is the last page')
  })

  test('tells of changes, with a cursor also where there are none', async () => {
    const first = await page(client, 'changes', { from: 'beginning', limit: 500 })
    // The tool's description asks callers to repeat the arguments with each cursor.
    const cursor = first.told['next cursor']
    const second = await page(client, 'changes', { from: 'beginning', limit: 500, cursor })

    expect(first.records).toHaveLength(RECORDS.length)
    expect(second.records).toEqual([])
    expect(second.told).toMatchObject({
      'next cursor': expect.stringMatching(/^[\w-]+$/),
      'Retry-After': '5',
    })
  })

  test('tells how current the service is', async () => {
    const { isError, text } = await call(client, 'status')

    expect([isError, JSON.parse(text)]).toEqual([false, { version: SERVED_VERSION, networks: [] }])
  })

  test.each([
    [
      'token_events',
      { evnt: 'Minted', skip: -1 },
      /evnt is not a parameter .* event\?; skip must be an integer/,
    ],
    ['token_events', { event: ['Minted', 'Mint'] }, 'event "Mint" must be one of Minted'],
    ['token_events', { address: [] }, 'address must not be an empty list'],
    [
      'token_events',
      { address: `0x${'1'.repeat(40)}`, tokenId: 2 ** 60 },
      'tokenId is a number above 2\\^53 - 1',
    ],
    ['token_events', { cursor: 'x' }, 'cursor is not a cursor of this query'],
    ['user_events', { address: '..' }, 'address must not be empty, "." or ".."'],
    ['user_events', { address: '0x1' }, 'address must have at least 42 characters'],
    ['user_events', { address: null }, 'user_events requires the argument address'],
    ['status', { network: 'base' }, 'network is not a parameter of status'],
  ])('%s with %j is an error that says what is wrong', async (name, given, sentence) => {
    expect(await call(client, name, given)).toEqual({ isError: true, text: expect.stringMatching(sentence) })
  })
})

describe('a service that does not answer as the service', () => {
  const answer = async (status: number, body: string) => {
    const other = await listen((_, response) => response.writeHead(status, { 'x-request-id': '1' }).end(body))
    return stopLater(other).baseUrl
  }

  test.each([
    ['a failing gateway', () => answer(500, ''), /^The answer was 500$/],
    ['a proxy with a page of its own', () => answer(200, '<p>'), /^Something other than the service answers/],
  ])('is an error that says so: %s', async (_, start, sentence) => {
    const client = await connectTo([await start()])

    for (const tool of ['token_events', 'status'])
      expect(await call(client, tool)).toEqual({ isError: true, text: expect.stringMatching(sentence) })
  })

  test('is told on standard error at the start, and to whoever calls', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const told = `Nothing answers at ${url}: the connection was refused`

    expect(await runCommand('mcp', [url])).toMatchObject({ output: '', errors: `${told}\n` })
    expect(await call(await connectTo([url]), 'status')).toEqual({ isError: true, text: told })
  })
})

test('a closed API is asked with the token', async () => {
  const asked: (string | undefined)[] = []
  const closed = await listen((request, response) => {
    asked.push(request.headers.authorization)
    response.writeHead(200, { 'x-request-id': '1' }).end('[]')
  })
  const client = await connectTo(['--token', 'secret', stopLater(closed).baseUrl])

  expect(await page(client, 'token_events')).toMatchObject({ records: [] })
  expect(new Set(asked)).toEqual(new Set(['Bearer secret']))
})

test.each(['mcpServers', 'servers'])('the settings under %s in the README start the command', async key => {
  const blocks = codeIn('infra/commands/README.md', 'json').map(block => JSON.parse(block))
  const [{ command, args }] = Object.values(blocks.find(block => key in block)[key]) as [
    StdioServerParameters,
  ]
  const placed = args?.map(arg =>
    arg.replace(/^\/.*\/blockchain-events-query-service$/, ROOT).replace(/^https:.*/, service.baseUrl),
  )
  const client = await connect({ command, args: placed ?? [] })
  const strays: Error[] = []
  client.onerror = error => strays.push(error)

  expect(placed).toEqual(expect.arrayContaining([ROOT, service.baseUrl]))
  expect((await page(client, 'token_events')).records).toHaveLength(PAGE)
  expect(strays).toEqual([])
})

describe('the process', () => {
  const request = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
  const client = { capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const HELLO = request(1, 'initialize', { protocolVersion: '2025-06-18', ...client })
  const CALL = request(2, 'tools/call', { name: 'token_events', arguments: { limit: 1 } })

  const start = () =>
    startProcess(process.execPath, [COMMAND, service.baseUrl], { stdio: ['pipe', 'pipe', 'ignore'] })

  test('answers what was asked before standard input ended, and ends', async () => {
    const { child, ended, printed } = start()
    child.stdin?.end(HELLO + CALL)

    expect(await ended).toBe(0)
    const answers = printed.all.trimEnd().split('\n')
    expect(answers.map(answer => JSON.parse(answer).id).sort()).toEqual([1, 2])
    expect(answers.find(answer => JSON.parse(answer).id === 2)).toContain(NEWEST_FIRST[0]?.id)
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends on %s, though standard input is open', async (signal, exitCode) => {
    const { child, ended, untilPrinted } = start()
    child.stdin?.write(HELLO)
    await untilPrinted('"id":1')
    child.kill(signal)

    expect(await ended).toBe(exitCode)
  })
})
