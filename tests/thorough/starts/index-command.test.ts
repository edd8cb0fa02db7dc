import { activity } from '../../../infra/recording/activity.ts'
import { nodeClient, startAnvil } from '../../../infra/recording/start-anvil.ts'
import { startChain, useChain } from '../../support/chain/chain.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { useFaultProxies } from '../../support/faults/fault-proxy.ts'
import { reset } from '../../support/faults/faults.ts'
import { changeReplies } from '../../support/faults/rpc-faults.ts'
import { failureOf, linesOf, runCommand, startCommand } from '../../support/programs/run-command.ts'
import { until } from '../../support/runner/until.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'
import { readIndexedTable } from '../../support/store/indexed-table.ts'
import { itemsOfAll } from '../../support/store/stored-items.ts'

const engine = useEngine()
const startFaultProxy = useFaultProxies()
const stopLater = useStops()
const ROUNDS = 4
const FINAL_DEPTH = 64

const chain = useChain()
beforeAll(async () => {
  for (let round = 0; round < ROUNDS; round++) {
    for (const calls of activity(chain.users, round)) await chain.mine(calls)
  }
  await chain.mineEmpty(FINAL_DEPTH)
})

async function setup(rpcUrl = chain.rpcUrl) {
  const tableName = await engine.createEventsTable()
  const table = ['--endpoint', engine.endpoint, '--table', tableName]
  const source = ['--network', 'polygon', '--rpc', rpcUrl, '--confirmations', '0']
  return {
    tableName,
    index: (...more: string[]) => startCommand('index-chain', [...table, ...source, ...more]),
    verify: () => runCommand('verify', table),
    read: () => readIndexedTable(engine.client, tableName, 'polygon'),
  }
}

test('indexes up to the head and says how far it came; verify finds nothing wrong', async () => {
  const { index, verify, read } = await setup()

  const { code, output } = await index().ended

  const truth = await chainEvents(chain, 'polygon')
  expect(code).toBe(0)
  expect(output).toContain(`polygon is indexed up to block ${await chain.head()} (`)
  expect(output).toContain(`${truth.length} events of `)
  expect((await read()).events).toEqual(itemsOfAll(truth))
  const items = itemsOfAll(truth).length
  expect(await verify()).toMatchObject({
    code: 0,
    output: `${truth.length} events in ${items} items: all is well\n`,
  })
})

test('tells programs of its start, of a reorganisation with its depth, and of its end', async () => {
  const own = stopLater(await startChain())
  const [ada = '0x'] = own.users
  const mint = { by: ada, contract: 0, functionName: 'mint', args: [ada, 1n, 1n, ''] }
  for (let block = 0; block < 3; block++) await own.mine([mint])
  const { index, read } = await setup(own.rpcUrl)
  const { child, ended } = index('--follow', '--log-format', 'json')
  const until4 = async (hash?: unknown) =>
    until(async () => {
      const { checkpoint } = await read()
      return checkpoint?.blockNumber === 4 && checkpoint.blockHash !== hash
    })
  await until4()
  const { checkpoint } = await read()

  await own.reorganise(2)
  await until4(checkpoint?.blockHash)
  child.kill('SIGTERM')

  const { code, output, errors } = await ended
  expect(code).toBe(143)
  const started = { event: 'started', network: 'polygon', fromBlock: 0, because: 'genesis' }
  const reorganised = { event: 'reorganised', network: 'polygon', depth: 2, blockNumber: 2, removed: 4 }
  for (const told of [started, reorganised])
    expect(linesOf(errors)).toContainEqual(expect.objectContaining(told))
  expect(linesOf(output)).toEqual([
    expect.objectContaining({ event: 'indexed', block: 4, head: 4, removed: 4, blocksBehindHead: 0 }),
  ])
})

test('says while its table does not answer, and when it answers again', async () => {
  const { index, read } = await setup()
  let isGone = false
  const table = await startFaultProxy(engine.endpoint, (request, forward) =>
    isGone ? reset(request, forward) : forward(),
  )
  const { child, ended, untilPrinted } = index('--follow', '--endpoint', table.url, '--lease-seconds', '10')
  const head = await chain.head()
  await until(async () => (await read()).checkpoint?.blockNumber === head)

  isGone = true
  const outage = `polygon: DynamoDB does not answer at ${table.url}: the connection was closed unexpectedly. Nothing can be stored until the table answers, so the indexer keeps trying\n`
  await untilPrinted(outage)
  isGone = false
  await untilPrinted('the table answers again\n')
  child.kill('SIGINT')

  expect((await ended).code).toBe(130)
})

test('a chain that is shorter than what is indexed is a failure that says so', async () => {
  const tableName = await engine.createEventsTable()
  /** Indexes a new chain of a development node from block 5 on. */
  async function indexNewChain(blocks: number) {
    const node = await startAnvil()
    await nodeClient(node.rpcUrl).mine({ blocks })
    const source = ['--network', 'polygon', '--rpc', node.rpcUrl, '--from-block', '5']
    const table = ['--endpoint', engine.endpoint, '--table', tableName]
    return runCommand('index-chain', [...source, ...table]).finally(() => node.stop())
  }
  expect(await indexNewChain(11)).toMatchObject({ code: 0 })

  const { code, output, errors } = await indexNewChain(3)

  expect(code).toBe(1)
  expect(output).toMatch(/^polygon is indexed up to block 11 \(\S+\)\n0 events of 0 blocks in /)
  expect(errors).toContain(
    'polygon is indexed up to block 11, but the newest block of its node is 3. Either the node lags behind, or the chain was restarted',
  )
})

test('asked to prove all logs, it ends at a block that is not proven', async () => {
  const lossy = await startFaultProxy(
    chain.rpcUrl,
    changeReplies(({ method }, reply) =>
      method === 'eth_getBlockReceipts' ? { ...reply, result: (reply.result as object[]).slice(1) } : reply,
    ),
  )
  const { index, read } = await setup(lossy.url)
  expect(await failureOf(index('--proof', 'all', '--from-block', '1').ended)).toContain(
    'polygon: the logs of block 1 are not proven: The node returned 1 receipts for 2 transactions',
  )
  expect((await read()).events).toEqual([])
})

test('given a node of another chain beside a right one, it writes nothing but one line', async () => {
  const other = stopLater(await startAnvil(['--chain-id', '8453']))
  // The other node comes first, because a run does not wait long for the chain id of a node that it may never need.
  const { index, read } = await setup(`${other.rpcUrl}/?key=KEY`)

  const errors = await failureOf(index('--rpc', chain.rpcUrl).ended)

  const sentence = 'serves base (chain id 8453), not polygon (chain id 137)'
  expect(errors.trim().split('\n')).toEqual([expect.stringContaining(sentence)])
  expect(errors).not.toContain('KEY')
  expect(await read()).toMatchObject({ events: [], checkpoint: undefined, recentBlocks: [] })
})

test('indexes a chain with another id where that is named', async () => {
  const { index } = await setup()

  expect(await index('--chain-id', '31337', '--to-block', '3').ended).toMatchObject({ code: 0 })
})
