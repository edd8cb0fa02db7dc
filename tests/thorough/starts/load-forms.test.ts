import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { activity } from '../../../infra/recording/activity.ts'
import { useChain } from '../../support/chain/chain.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { useFaultProxies } from '../../support/faults/fault-proxy.ts'
import { changeReplies } from '../../support/faults/rpc-faults.ts'
import { failureOf, linesOf, runCommand } from '../../support/programs/run-command.ts'
import { useTextFiles } from '../../support/programs/text-files.ts'
import { useEngine } from '../../support/store/engine.ts'
import { itemsOfAll, storedItems } from '../../support/store/stored-items.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const run = promisify(execFile)
const engine = useEngine()
const writeFile = useTextFiles()
const startFaultProxy = useFaultProxies()

type Log = Record<string, unknown>

let logs: Log[]
let blocks: Log[]
const chain = useChain()
beforeAll(async () => {
  for (const calls of activity(chain.users, 0)) await chain.mine(calls)
  logs = (await chain.request('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }])) as Log[]
  const numbers = [...new Set(logs.map(({ blockNumber }) => blockNumber))]
  blocks = (await Promise.all(
    numbers.map(number => chain.request('eth_getBlockByNumber', [number, false])),
  )) as Log[]
})

async function setup() {
  const tableName = await engine.createEventsTable()
  return {
    load: (...args: string[]) =>
      runCommand('load', ['--endpoint', engine.endpoint, '--table', tableName, ...args]),
    stored: () => storedItems(engine.client, tableName),
  }
}

const withoutTimes = () => logs.map(({ blockTimestamp: _, ...log }) => log)
const reply = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, result })
const truth = async () => itemsOfAll(await chainEvents(chain, 'polygon'))

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
  ['in a list of blocks', async () => ['--blocks', await writeFile('blocks', blocks.map(reply).join('\n'))]],
])('finds the times of logs, also of logs with the time 0, %s', async (_, source) => {
  const { load, stored } = await setup()
  const logs = withoutTimes().map((log, index) => (index % 2 === 0 ? log : { ...log, blockTimestamp: '0x0' }))
  const file = await writeFile('timeless.json', JSON.stringify(logs))

  expect(await load('--network', 'polygon', ...(await source()), file)).toMatchObject({ code: 0 })

  expect(await stored()).toEqual(await truth())
})

test('leaves out a log of a block that has left the chain', async () => {
  const { load } = await setup()
  const [first, ...others] = withoutTimes()
  const orphan = { ...first, blockHash: `0x${'7'.repeat(64)}` }
  const file = await writeFile('orphan.json', JSON.stringify([orphan, ...others]))

  const { code, errors } = await load('--network', 'polygon', '--rpc', chain.rpcUrl, file)

  expect(code).toBe(0)
  expect(errors).toContain(`${file}:1: the hash of block 1 is ${first?.blockHash}`)
})

test('the recipes of the README work with cast', async () => {
  const readme = await readFile(path.join(ROOT, 'lib/ingest/README.md'), 'utf8')
  const [, section = ''] = readme.split('## Load logs that you have\n')
  const recipes = [...section.matchAll(/^(cast .*|curl .*) > (\S+)$/gm)]
  expect(recipes.length).toBeGreaterThanOrEqual(2)
  for (const [, command = ''] of recipes) {
    const { load, stored } = await setup()
    const PATH = `${path.join(ROOT, 'tests/node_modules/.bin')}:${process.env.PATH}`
    const env = { ...process.env, PATH, RPC: chain.rpcUrl, TOKEN: chain.contracts[0] }
    const { stdout } = await run('bash', ['-c', command], { cwd: ROOT, env })

    const { code } = await load('--network', 'polygon', await writeFile('recipe.json', stdout))

    expect(code).toBe(0)
    const events = await chainEvents(chain, 'polygon')
    expect(await stored()).toEqual(itemsOfAll(events.filter(({ address }) => address === chain.contracts[0])))
  }
})

describe('a file without any event', () => {
  test('of logs as nodes return them is told what to add', async () => {
    const { load } = await setup()
    const file = await writeFile('reply.json', JSON.stringify(withoutTimes()))

    const errors = await failureOf(load(file))

    expect(errors.split('\n')).toEqual([
      `${file} contains no known events. These lines were left out:`,
      expect.stringMatching(
        `^  ${logs.length} logs: network is missing; blockTimestamp is missing; first on line 1: `,
      ),
      '  Set the network of all these logs with --network',
      '  To add the times of these logs, use --rpc or --blocks',
      '',
    ])
  })

  test('of logs with the time 0 is told that it is no time, because they would become events of 1970', async () => {
    const { load, stored } = await setup()
    const timeless = withoutTimes().map(log => ({ ...log, network: 'polygon', blockTimestamp: '0x0' }))
    const file = await writeFile('zero.json', JSON.stringify(timeless))

    const errors = await failureOf(load(file))

    expect(errors).toContain(
      `  ${logs.length} logs: blockTimestamp is 0, which some nodes send instead of the time; first on line 1: `,
    )
    expect(errors).toContain('\n  To add the times of these logs, use --rpc or --blocks\n')
    expect(await stored()).toEqual([])
  })

  test('a node that has refused is told with its words', async () => {
    const { load } = await setup()
    const refusal = { jsonrpc: '2.0', id: 1, error: { code: -32005, message: 'block range is too wide' } }
    const file = await writeFile('reply.json', JSON.stringify(refusal))

    expect(await failureOf(load('--network', 'polygon', file))).toContain(
      "a node's reply has no logs: block range is too wide",
    )
  })

  test('an empty list is no failure', async () => {
    const { load } = await setup()

    expect(await load('--network', 'polygon', await writeFile('none.json', reply([])))).toMatchObject({
      code: 0,
    })
  })
})

test('says in JSON what came of it, for programs', async () => {
  const { load } = await setup()
  const file = await writeFile('mixed.ndjson', `nonsense\n${reply(logs)}`)

  const { output, errors } = await load('--network', 'polygon', '--log-format', 'json', file)

  expect(linesOf(errors)).toMatchObject([
    { event: 'rejected', file, line: 1, code: 'malformed' },
    { event: 'rejected', file, line: 2 },
    { event: 'no-events', level: 'error', file },
  ])
  expect(linesOf(output)).toMatchObject([{ event: 'loaded', loaded: 0, rejected: 2 }])
})
