import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { activity } from '../../../infra/recording/activity.ts'
import { useChain } from '../../support/chain/chain.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { useFaultProxies } from '../../support/faults/fault-proxy.ts'
import { isWrite } from '../../support/faults/faults.ts'
import { hanging } from '../../support/faults/read-faults.ts'
import { changeReplies } from '../../support/faults/rpc-faults.ts'
import { listen } from '../../support/http/listen.ts'
import {
  failureOf,
  linesOf,
  refusalOf,
  runCommand,
  startCommand,
  startProcess,
} from '../../support/programs/run-command.ts'
import { useTextFiles } from '../../support/programs/text-files.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { ndjson, rawLogOf } from '../../support/records/raw-log-of.ts'
import { until } from '../../support/runner/until.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'
import { itemsOfAll, storedItems } from '../../support/store/stored-items.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const engine = useEngine()
const writeText = useTextFiles()
const startFaultProxy = useFaultProxies()
const stopLater = useStops()
const RECORDS = eventSetOf({ blocks: 3, events: 2 }, 3)
const LOGS = RECORDS.map(rawLogOf)
const [LOG] = LOGS

type Log = Record<string, unknown>

let nodeLogs: Log[]
let blocks: Log[]
const chain = useChain()
beforeAll(async () => {
  for (const calls of activity(chain.users, 0)) await chain.mine(calls)
  nodeLogs = (await chain.request('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }])) as Log[]
  const numbers = [...new Set(nodeLogs.map(({ blockNumber }) => blockNumber))]
  blocks = (await Promise.all(
    numbers.map(number => chain.request('eth_getBlockByNumber', [number, false])),
  )) as Log[]
})

const withoutTimes = () => nodeLogs.map(({ blockTimestamp: _, ...log }) => log)
const reply = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, result })

async function setup() {
  const tableName = await engine.createEventsTable()
  const target = ['--endpoint', engine.endpoint, '--table', tableName]
  return {
    target,
    load: (...args: string[]) => runCommand('load', [...target, ...args]),
    stored: () => storedItems(engine.client, tableName),
  }
}

test('loads files, which are named relative to where npm was called, and prints what was loaded', async () => {
  const { target, stored } = await setup()
  const half = Math.ceil(RECORDS.length / 2)
  const first = await writeText('first.ndjson', ndjson(LOGS.slice(0, half)))
  await writeText('second.ndjson', ndjson(LOGS.slice(half)))
  const env = { npm_lifecycle_event: 'load', INIT_CWD: path.dirname(first) }
  const { code, output, errors } = await runCommand('load', [...target, first, 'second.ndjson'], { env })
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  const [totals, , header, ...rows] = output.trim().split('\n')
  expect(totals).toBe(
    `${RECORDS.length} events loaded from ${RECORDS.length} lines; 0 lines left out, 0 repeated`,
  )
  expect(header).toMatch(/^network +event +events$/)
  expect(rows.reduce((sum, row) => sum + Number(row.split(/ +/)[2]), 0)).toBe(RECORDS.length)
  expect(await stored()).toEqual(itemsOfAll(RECORDS))
})

test('prints the first 20 lines that it left out, or writes all to a file, and fails only with --strict', async () => {
  const { load } = await setup()
  const file = await writeText('bad.ndjson', `${'bad\n'.repeat(23)}${ndjson([LOG])}`)
  const rejects = await writeText('rejects', '')

  const told = await load(file)
  const written = await load('--strict', '--rejects', rejects, file)

  expect(told.code).toBe(0)
  expect(told.output).toContain('1 event loaded from 24 lines; 23 lines left out, 0 repeated\n')
  const lines = told.errors.trim().split('\n')
  expect([lines[0], lines.length, lines.at(-1)]).toEqual([
    `${file}:1: a log must be JSON`,
    21,
    '… and 3 more lines left out',
  ])
  expect(written).toMatchObject({ code: 1, errors: '' })
  const all = (await readFile(rejects, 'utf8')).trim().split('\n')
  expect([all.length, all[22]]).toEqual([23, `${file}:23: a log must be JSON`])
})

test('writes left out lines over those of an earlier run of the same files, and over nothing else', async () => {
  const { load } = await setup()
  const [one, two] = [await writeText('one.ndjson', 'bad\n'), await writeText('two.ndjson', 'bad\n')]
  const rejects = path.join(path.dirname(one), 'new-rejects')

  expect(await failureOf(load('--rejects', one, two))).toBe(
    `Can't write ${one}: a file with this name and other content already exists; choose another name for --rejects\n`,
  )
  expect(await readFile(one, 'utf8')).toBe('bad\n')
  for (let run = 0; run < 2; run++) {
    await load('--rejects', rejects, one)
    expect(await readFile(rejects, 'utf8')).toBe(`${one}:1: a log must be JSON\n`)
  }
  expect((await load('--rejects', '/dev/null', one)).errors).not.toContain("Can't write")
})

test('fails where later lines contradict one with a time in the future, and not where none does', async () => {
  const { load } = await setup()
  const [early, late] = [10, 11].map(blockNumber => rawLogOf(makeEvent('Minted', { blockNumber })))
  const wrong = { ...early, blockTimestamp: 32_000_000_000 }
  const file = await writeText('future.ndjson', ndjson([wrong, { ...late, logIndex: 7 }]))
  const alone = await writeText('alone.ndjson', ndjson([wrong]))

  expect(await failureOf(load(file))).toContain(
    `${file}:1 has the time 2984-01-15T08:53:20.000Z, which is in the future. 1 line contradicted earlier lines, so it was left out.`,
  )
  expect(await load(alone)).toMatchObject({ code: 0, errors: '' })
})

/** Enough to store some events, but far from all. */
const ANSWERED_WRITES = 40

test('stops on Ctrl-C, says how to go on, and the same command completes the load', async () => {
  const { target, load, stored } = await setup()
  const records = eventSetOf({ blocks: 40, events: 5 }, 3)
  const file = await writeText('many.ndjson', ndjson(records.map(rawLogOf)))
  let writes = 0
  const stuck = await startFaultProxy(engine.endpoint, (request, forward) =>
    isWrite(request) && ++writes > ANSWERED_WRITES ? hanging(request, forward) : forward(),
  )
  const { child, ended } = startCommand('load', [...target, '--endpoint', stuck.url, file])
  await until(() => writes > ANSWERED_WRITES)
  child.kill('SIGINT')

  const { code, errors } = await ended
  expect(code).toBe(130)
  expect(errors).toMatch(
    /^Stopped. Stored so far: \d+ events. To load the rest, run the same command again.\n$/,
  )
  expect((await stored()).length).toBeLessThan(itemsOfAll(records).length)
  expect(await load(file)).toMatchObject({ code: 0, errors: '' })
  expect(await stored()).toEqual(itemsOfAll(records))
})

test('needs no more memory for a large file', async () => {
  const { target } = await setup()
  const unknown = { ...LOG, topics: [`0x${'7'.repeat(64)}`], data: `0x${'00'.repeat(50_000)}` }
  const file = await writeText('large.ndjson', ndjson([unknown]).repeat(1500) + ndjson([LOG]))
  const options = { nodeOptions: ['--max-old-space-size=96'] }
  expect(await runCommand('load', [...target, file], options)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^1 event loaded from 1501 lines/),
  })
})

const cutOff = (text: string) => text.slice(0, text.lastIndexOf('"data"'))

test('loads what stands before the end of a truncated file, and fails', async () => {
  const { load, stored } = await setup()
  const file = await writeText('cut', cutOff(ndjson(LOGS)))

  const { code, output, errors } = await load(file)

  expect(code).toBe(1)
  expect(output).toContain(`${RECORDS.length - 1} events loaded`)
  expect(errors).toBe(
    `${file} is truncated on line ${RECORDS.length}: the rest is missing. Get the complete file, and run the command again\n`,
  )
  expect(await stored()).toEqual(itemsOfAll(RECORDS.slice(0, -1)))
})

const lacksBlocks: Parameters<typeof changeReplies>[0] = ({ method }, reply) =>
  method === 'eth_getBlockByNumber' ? { ...reply, result: null } : reply

test.each<[string, () => Promise<string[]>]>([
  ['on their chain', async () => ['--rpc', chain.rpcUrl]],
  [
    'on their chain, even if the first node lacks their blocks',
    async () => [
      ...['--rpc', (await startFaultProxy(chain.rpcUrl, changeReplies(lacksBlocks))).url],
      ...['--rpc', chain.rpcUrl],
    ],
  ],
  ['in a list of blocks', async () => ['--blocks', await writeText('blocks', blocks.map(reply).join('\n'))]],
])('finds the times of logs, also of logs with the time 0, %s', async (_, source) => {
  const { load, stored } = await setup()
  const logs = withoutTimes().map((log, index) => (index % 2 === 0 ? log : { ...log, blockTimestamp: '0x0' }))
  const file = await writeText('timeless.json', JSON.stringify(logs))

  expect(await load('--network', 'polygon', ...(await source()), file)).toMatchObject({ code: 0 })

  expect(await stored()).toEqual(itemsOfAll(await chainEvents(chain, 'polygon')))
})

test('leaves out a log of a block that has left the chain', async () => {
  const { load } = await setup()
  const [first, ...others] = withoutTimes()
  const orphan = { ...first, blockHash: `0x${'7'.repeat(64)}` }
  const file = await writeText('orphan.json', JSON.stringify([orphan, ...others]))

  expect(await load('--network', 'polygon', '--rpc', chain.rpcUrl, file)).toMatchObject({
    code: 0,
    errors: expect.stringContaining(`${file}:1: the hash of block 1 is ${first?.blockHash}`),
  })
})

test('the recipes of the README work with cast', async () => {
  const readme = await readFile(path.join(ROOT, 'lib/ingest/README.md'), 'utf8')
  const [, section = ''] = readme.split('## Load logs that you have\n')
  const recipes = [...section.matchAll(/^(cast .*|curl .*) > (\S+)$/gm)]
  expect(recipes.length).toBeGreaterThanOrEqual(2)
  for (const [, command = ''] of recipes) {
    const { load, stored } = await setup()
    const PATH = `${path.join(ROOT, 'tests/node_modules/.bin')}:${process.env.PATH}`
    const env = { PATH, RPC: chain.rpcUrl, TOKEN: chain.contracts[0] }
    const { ended, printed } = startProcess('bash', ['-c', command], { env })
    expect(await ended).toBe(0)
    const { code } = await load('--network', 'polygon', await writeText('recipe.json', printed.output))

    expect(code).toBe(0)
    const events = await chainEvents(chain, 'polygon')
    expect(await stored()).toEqual(itemsOfAll(events.filter(({ address }) => address === chain.contracts[0])))
  }
})

const atZero = () => withoutTimes().map(log => ({ ...log, network: 'polygon', blockTimestamp: '0x0' }))
const REFUSAL = { jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'block range is too wide' } }

test.each<[string, content: () => string, told: RegExp]>([
  [
    'logs as nodes return them',
    () => JSON.stringify(withoutTimes()),
    /^ {2}\d+ logs: network is missing; blockTimestamp is missing; first on line 1: .*\n {2}Set the network of all these logs with --network\n {2}To add the times of these logs, use --rpc or --blocks\n$/,
  ],
  [
    'logs with the time 0, which would become events of 1970',
    () => JSON.stringify(atZero()),
    /^ {2}\d+ logs: blockTimestamp is 0, which some nodes send instead of the time; first on line 1: .*\n {2}To add the times of these logs, use --rpc or --blocks\n$/,
  ],
  [
    'the refusal of a node',
    () => JSON.stringify(REFUSAL),
    /a node's reply has no logs: block range is too wide/,
  ],
  [
    'a log that is cut off',
    () => cutOff(ndjson([LOG])),
    /^ {2}1 log: the file is truncated: it ends in .*; first on line 1: \{"network":.*\n {2}Get the complete file, and run the command again\n$/,
  ],
  [
    'CSV',
    () => 'network,address,topics\nbase,0x12,0x13\n',
    /^ {2}2 logs: a log must be JSON; first on line 1: network,address,topics …\n {2}The file looks like CSV, but logs must be JSON \(npm run load -- --help\)\n$/,
  ],
])('says what to do with a file without any event: %s', async (_, content, told) => {
  const { load, stored } = await setup()
  const file = await writeText('no-events', content())

  const errors = await failureOf(load(file))

  const [opening, ...lines] = errors.split('\n')
  expect(opening).toBe(`${file} contains no known events. These lines were left out:`)
  expect(lines.join('\n')).toMatch(told)
  expect(await stored()).toEqual([])
})

test('an empty list is no failure', async () => {
  const { load } = await setup()

  expect(await load('--network', 'polygon', await writeText('none.json', reply([])))).toMatchObject({
    code: 0,
  })
})

test('says in JSON what came of it, for programs', async () => {
  const { load } = await setup()
  const file = await writeText('mixed.ndjson', `nonsense\n${reply(nodeLogs)}`)

  const { output, errors } = await load('--network', 'polygon', '--log-format', 'json', file)

  expect(linesOf(errors)).toMatchObject([
    { event: 'rejected', file, line: 1, code: 'malformed' },
    { event: 'rejected', file, line: 2 },
    { event: 'no-events', level: 'error', file },
  ])
  expect(linesOf(output)).toMatchObject([{ event: 'loaded', loaded: 0, rejected: 2 }])
})

/** Control characters of one or two bytes. They turn a terminal's text red, clear the screen and set the title. */
const OBEYED = '\x1b[31m\x1b[2J\x1b]0;title\x07\u009b31m\x7f\r'

test.each(['text', 'json'])('writes no control character of a file to a terminal, as %s', async format => {
  const { load } = await setup()
  const refusal = JSON.stringify({ jsonrpc: '2.0', error: { message: OBEYED } })
  const file = await writeText('obeyed', `${OBEYED}\n{"a":"${OBEYED}"}\n${refusal}\n`)
  const rejects = await writeText('rejects', '')

  const { errors, output } = await load('--log-format', format, file)
  await load('--rejects', rejects, file)

  expect(errors).toContain('\\u001b[31m')
  expect(errors + output + (await readFile(rejects, 'utf8'))).not.toMatch(/[^\P{Cc}\n]/u)
})

const inTable = async (given: string) => [...(await setup()).target, ...given.split(' ')]
const at = (endpoint: string, table = 'events') => ['--endpoint', endpoint, '--table', table, 'README.md']
const answering = async (status: number, body: string) =>
  stopLater(await listen((_, response) => response.writeHead(status).end(body))).baseUrl
const NO_DYNAMO =
  /^Something other than DynamoDB answers at \S+\. Specify another --endpoint; npm start prints the address of its DynamoDB$/

test.each<[string, () => string[] | Promise<string[]>, string | RegExp]>([
  ['a folder', () => inTable('lib'), "Can't read lib: it is a folder, not a file"],
  [
    'a file for rejects that cannot be written',
    () => inTable('--rejects /no/such/folder README.md'),
    "Can't write /no/such/folder: its folder does not exist",
  ],
  [
    'a folder for rejects',
    () => inTable('--rejects lib README.md'),
    "Can't write lib: it is a folder, not a file",
  ],
  [
    'a name that no table has',
    () => at(engine.endpoint, 'no'),
    'no is not a valid table name: it must consist of 3 to 255 letters, digits, dots, hyphens and underscores',
  ],
  [
    'an endpoint that answers 404',
    async () => at(await answering(404, '{"message":"Not found"}')),
    NO_DYNAMO,
  ],
  ['an endpoint that answers something else', async () => at(await answering(200, 'healthy')), NO_DYNAMO],
  ['the address of a node', async () => at(await answering(200, JSON.stringify(REFUSAL))), NO_DYNAMO],
  [
    'https for http',
    async () => at((await answering(200, '{}')).replace('http:', 'https:')),
    /^DynamoDB does not answer at \S+: the server does not use TLS; try http:\/\/ instead of https:\/\/$/,
  ],
  [
    'AWS without credentials',
    () => ['--table', 'events', '--region', 'eu-west-1', 'x'],
    /^No usable AWS credentials were found \(/,
  ],
])('says in one line what is wrong with %s', async (_, given, message) => {
  expect(await refusalOf('load', await given())).toEqual(
    typeof message === 'string' ? message : expect.stringMatching(message),
  )
})
