import { freePort } from '../../../infra/local/processes/listen-at.ts'
import { activity } from '../../../infra/recording/activity.ts'
import { nodeClient, startAnvil } from '../../../infra/recording/start-anvil.ts'
import { connectNode } from '../../../lib/chain/nodes/chain-node.ts'
import { isWrongAddress } from '../../../lib/chain/nodes/rpc-errors.ts'
import { startChain, useChain } from '../../support/chain/chain.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { useFaultProxies } from '../../support/faults/fault-proxy.ts'
import { reset } from '../../support/faults/faults.ts'
import { changeReplies } from '../../support/faults/rpc-faults.ts'
import { listen } from '../../support/http/listen.ts'
import { failureOf, linesOf, runCommand, startCommand } from '../../support/programs/run-command.ts'
import { until } from '../../support/runner/until.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'
import { readIndexedTable } from '../../support/store/indexed-table.ts'
import { itemsOfAll } from '../../support/store/stored-items.ts'

const engine = useEngine()
const startFaultProxy = useFaultProxies()
const stopLater = useStops()
/** Enough empty blocks after the events to make the command search for the block that created the contracts. */
const QUIET_BLOCKS = 70

const chain = useChain()
beforeAll(async () => {
  for (const calls of activity(chain.users, 0)) await chain.mine(calls)
  await chain.mineEmpty(QUIET_BLOCKS)
})

async function setup() {
  const tableName = await engine.createEventsTable()
  const table = ['--endpoint', engine.endpoint, '--table', tableName]
  const start = (rpcUrl: string, ...more: string[]) =>
    startCommand('index-chain', [...table, '--network', 'polygon', '--rpc', rpcUrl, ...more])
  const indexFrom = (...given: Parameters<typeof start>) => start(...given).ended
  return {
    start,
    indexFrom,
    index: (...more: string[]) => indexFrom(chain.rpcUrl, ...more),
    verify: () => runCommand('verify', table),
    read: () => readIndexedTable(engine.client, tableName, 'polygon'),
  }
}

test('indexes up to the head and says how far it came; verify finds nothing wrong', async () => {
  const { index, verify, read } = await setup()

  const { code, output } = await index()

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
  const { start, read } = await setup()
  const { child, ended } = start(own.rpcUrl, '--follow', '--log-format', 'json')
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
  const { start, read } = await setup()
  let isGone = false
  const table = await startFaultProxy(engine.endpoint, (request, forward) =>
    isGone ? reset(request, forward) : forward(),
  )
  const { child, ended, untilPrinted } = start(
    chain.rpcUrl,
    '--follow',
    '--endpoint',
    table.url,
    '--lease-seconds',
    '10',
  )
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
  const { indexFrom } = await setup()
  /** Indexes a new chain of a development node from block 5 on. */
  async function indexNewChain(blocks: number) {
    const node = stopLater(await startAnvil())
    await nodeClient(node.rpcUrl).mine({ blocks })
    return indexFrom(node.rpcUrl, '--from-block', '5')
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
  const { indexFrom, read } = await setup()
  expect(await failureOf(indexFrom(lossy.url, '--proof', 'all', '--from-block', '1'))).toContain(
    'polygon: the logs of block 1 are not proven: The node returned 1 receipts for 2 transactions',
  )
  expect((await read()).events).toEqual([])
})

test('given a node of another chain beside a right one, it writes nothing but one line', async () => {
  const other = stopLater(await startAnvil(['--chain-id', '8453']))
  // The other node comes first, because a run does not wait long for the chain id of a node that it may never need.
  const { index, indexFrom, read } = await setup()

  const errors = await failureOf(indexFrom(`${other.rpcUrl}/?key=KEY`, '--rpc', chain.rpcUrl))

  const sentence = 'serves base (chain id 8453), not polygon (chain id 137)'
  expect(errors.trim().split('\n')).toEqual([expect.stringContaining(sentence)])
  expect(errors).not.toContain('KEY')
  expect(await failureOf(index('--chain-id', '5'))).toContain(
    'the chain with id 31337, not polygon (chain id 5)',
  )
  expect(await read()).toMatchObject({ events: [], checkpoint: undefined, recentBlocks: [] })
})

const timeOf = async (number: number) => (await chain.block(number)).timestamp

describe('where indexing begins', () => {
  test('in the block in which the first of its contracts was created', async () => {
    const { index, read } = await setup()
    const [contract = ''] = chain.contracts

    expect(await index('--contract', contract)).toMatchObject({
      code: 0,
      errors: `polygon: indexing from block 1 on (${contract} was created in block 1)\n`,
    })
    const events = (await chainEvents(chain, 'polygon')).filter(({ address }) => address === contract)
    expect((await read()).events).toEqual(itemsOfAll(events))
    expect((await read()).checkpoint).toMatchObject({ scope: { fromBlock: 1 } })
  })

  test('with the block from a time on, whichever way the time is written', async () => {
    const seconds = await timeOf(4)
    for (const time of [String(seconds), new Date(seconds * 1000 - 400).toISOString()]) {
      const { index, read } = await setup()

      const { code, errors } = await index('--from-time', time)

      const date = new Date(seconds * 1000).toISOString()
      expect({ code, errors }).toEqual({
        code: 0,
        errors: `polygon: indexing from block 4 on (the time of block 4 is ${date})\n`,
      })
      expect((await read()).events).toEqual(itemsOfAll(await chainEvents(chain, 'polygon', { fromBlock: 4 })))
    }
  })

  test('again where a time near the newest block has led before, although that block is final by now', async () => {
    const { index, read } = await setup()
    const head = await chain.head()
    const time = String(await timeOf(head - 2))
    expect(await index('--from-time', time)).toMatchObject({ code: 0 })
    await chain.mineEmpty(3)

    expect(await index('--from-time', time)).toMatchObject({ code: 0 })

    expect((await read()).checkpoint).toMatchObject({ blockNumber: head + 3 })
    expect((await index('--from-time', String(await timeOf(4)))).errors).toContain('--restart')
  })

  test('where it began before, which is said, and can be changed', async () => {
    const { index, read } = await setup()
    await index('--from-block', '4', '--to-block', '5')

    expect((await index()).errors).toBe(
      'polygon: indexing from block 4 on, as before (to start at another block, use --from-block and --restart)\n',
    )
    expect(await failureOf(index('--from-block', '2'))).toContain(
      'was indexed from block 4 on for any contract, but this run would index it from block 2 on for any contract',
    )
    const restarted = { code: 0, errors: 'polygon: indexing from block 2 on\n' }
    expect(await index('--from-block', '2', '--restart')).toMatchObject(restarted)

    expect((await read()).events).toEqual(itemsOfAll(await chainEvents(chain, 'polygon', { fromBlock: 2 })))
  })

  test('a block beyond the newest is refused, and not remembered', async () => {
    const { index, read } = await setup()
    const head = await chain.head()

    expect(await failureOf(index('--from-block', '5000'))).toBe(
      `polygon cannot be indexed from block 5000 on, because the newest block is ${head}. Nothing was changed: choose an earlier start\n`,
    )
    expect((await read()).checkpoint).toBeUndefined()
    expect(await failureOf(index('--from-time', '2200-01-01'))).toContain(
      `cannot be indexed from 2200-01-01T00:00:00.000Z on, because the newest block is ${head} (`,
    )

    expect(await index()).toMatchObject({ code: 0, errors: expect.stringContaining('from block 0 on') })
  })

  test('is asked for where there is no such contract, or the node does not tell', async () => {
    const { index, indexFrom } = await setup()
    const nobody = `0x${'1'.repeat(40)}`
    const remedy =
      "so the first block is unknown. Set it with --from-block or --from-time (fromBlock in the function's configuration)\n"
    expect(await failureOf(index('--contract', nobody))).toBe(
      `polygon: there is no contract at ${nobody} (check the address and the network), ${remedy}`,
    )

    const forgetful = await startFaultProxy(
      chain.rpcUrl,
      changeReplies(({ method, params }, reply) =>
        method === 'eth_getCode' && Number(params[1]) < QUIET_BLOCKS
          ? { id: reply.id, error: { code: -32000, message: 'missing trie node' } }
          : reply,
      ),
    )
    const [contract = ''] = chain.contracts
    const errors = await failureOf(indexFrom(forgetful.url, '--contract', contract))
    expect(errors).toContain(`the node cannot tell whether ${contract} existed in block `)
    expect(errors).toContain(`(missing trie node), ${remedy}`)
  })
})

test('a development node has a chain to index up to its head, unless more confirmations are waited for', async () => {
  const { indexFrom } = await setup()
  const young = stopLater(await startAnvil())
  await nodeClient(young.rpcUrl).mine({ blocks: 5 })

  expect(await indexFrom(young.rpcUrl, '--confirmations', '8')).toMatchObject({
    code: 1,
    output:
      'polygon has no block to index yet: the newest block is 5, the first block to index is 0, and 8 confirmations are required (--confirmations). To wait until this block can be indexed, use --follow\n',
  })
  expect(await indexFrom(young.rpcUrl)).toMatchObject({
    code: 0,
    output: expect.stringContaining('polygon is indexed up to block 5 ('),
  })
})

test.each([
  ['application/json', '[]', '[] instead of JSON-RPC'],
  ['application/json', '', 'an empty body instead of JSON-RPC'],
  ['text/html', '<html></html>', 'a web page (HTML) instead of JSON-RPC'],
  ['application/json', '<!doctype html><html></html>', 'a web page (HTML) instead of JSON-RPC'],
  ['application/json', '{"status":"healthy"}', 'other JSON instead of JSON-RPC'],
  ['text/plain', 'I am alive and well', 'text that is not JSON instead of JSON-RPC'],
])('an address that answers, as %s, %j is not that of a node', async (type, body, reply) => {
  const { baseUrl } = stopLater(
    await listen((_, response) => response.writeHead(200, { 'content-type': type }).end(body)),
  )
  const node = connectNode(baseUrl, { retryCount: 0 })
  const asked = node.request('eth_chainId', [], new AbortController().signal)
  const error = (await asked.catch(each => each)) as Error

  expect([error.message, isWrongAddress(error)]).toEqual([`it responds with ${reply}`, true])
})

test('a node that does not answer is named in one line, unless another node answers', async () => {
  const { indexFrom } = await setup()
  const host = `127.0.0.1:${await freePort()}`

  expect(await failureOf(indexFrom(`http://${host}/KEY`))).toBe(
    `No node answers at ${host}: the connection was refused. Check --rpc\n`,
  )
  expect(await indexFrom(`http://${host}`, '--rpc', chain.rpcUrl)).toMatchObject({ code: 0 })
})
