import type { RawLog } from '../../lib/chain/logs/raw-log.ts'
import { type ChainNode, connectNode } from '../../lib/chain/nodes/chain-node.ts'
import { groupNodes } from '../../lib/chain/nodes/node-group.ts'
import { createRangeSize } from '../../lib/chain/nodes/range-size.ts'
import { type ChainReader, createChainReader, type ReaderOptions } from '../../lib/chain/nodes/read-chain.ts'
import { readRanges } from '../../lib/ingest/indexer/read-ranges.ts'
import { useChain } from '../support/chain/chain.ts'
import { chainEvents } from '../support/chain/chain-truth.ts'
import { createIdleClock } from '../support/chain/idle-clock.ts'
import { type Interceptor, useFaultProxies } from '../support/faults/fault-proxy.ts'
import { halfAnswer, pass, reset, status } from '../support/faults/faults.ts'
import { hanging } from '../support/faults/read-faults.ts'
import {
  answering,
  changeReplies,
  changeResults,
  confused,
  lagging,
  narrow,
  sparing,
  timeless,
  withoutTimestamps,
} from '../support/faults/rpc-faults.ts'

const BLOCKS = 40
const signal = new AbortController().signal

const chain = useChain()
beforeAll(async () => {
  for (let block = 0; block < BLOCKS; block++) {
    const [by, bob] = chain.users as `0x${string}`[]
    if (!by) throw new Error('The node has no users')
    const mint = { by, contract: 0, functionName: 'mint', args: [bob, BigInt(block), 1n, ''] }
    await chain.mine(block % 3 === 0 ? [mint, mint] : [])
  }
})

const startFaultProxy = useFaultProxies()

const readerOf = (...nodes: Interceptor[]) => readerWith({}, ...nodes)

async function readerWith(options: Pick<ReaderOptions, 'proof'>, ...nodes: Interceptor[]) {
  const clock = createIdleClock()
  const telling = nodes.map(
    (node): Interceptor =>
      async (request, forward) => {
        const outcome = await node(request, forward)
        if (outcome === 'hang') clock.hang()
        return outcome
      },
  )
  const started = await Promise.all(telling.map(node => startFaultProxy(chain.rpcUrl, node)))
  const connected = started.map(({ url }) => clock.watchNode(connectNode(url, { retryDelayMs: 1 })))
  const group = groupNodes(connected, { clock, maxRounds: 3 })
  return createChainReader({ network: 'base', nodes: group, contracts: 'any', ...options })
}

async function readAll(reader: ChainReader): Promise<{ logs: RawLog[]; pieces: number }> {
  const logs: RawLog[] = []
  let pieces = 0
  const range = { first: 0, last: await chain.head() }
  for await (const piece of readRanges(reader, range, { size: createRangeSize(), signal })) {
    logs.push(...piece.logs)
    pieces += 1
  }
  return { logs, pieces }
}

const placesOf = (logs: readonly { blockNumber: number; logIndex: number }[]) =>
  logs.map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`)

async function expectAll({ logs }: { logs: RawLog[] }) {
  const truth = await chainEvents(chain, 'base')
  const times = logs.map(({ blockTimestamp }) => new Date(blockTimestamp * 1000).toISOString())
  expect(placesOf(logs)).toEqual(placesOf(truth))
  expect(times).toEqual(truth.map(({ createdAt }) => createdAt))
}

const ofChain = (chainId: () => string | null) => changeResults('eth_chainId', chainId)

const ANVIL = '0x7a69'
/** A test network of ethereum that the service will never support. */
const SEPOLIA = '0xaa36a7'
const refused = { code: 'wrong-chain', message: expect.stringContaining('the chain with id 11155111, not') }

function atFirst(times: number, fault: Interceptor): Interceptor {
  let left = times
  return (request, forward) => (left-- > 0 ? fault : pass)(request, forward)
}

test('asks once where the node gives everything at once', async () => {
  const read = await readAll(await readerOf(pass))

  await expectAll(read)
  expect(read.pieces).toBe(1)
})

test.each<[string, Interceptor]>([
  ['so many blocks', narrow(7)],
  ['one block', narrow(1)],
  ['so many logs', sparing(4)],
  ['what it can send in time', (request, forward) => hangWhenWide(request.body)(request, forward)],
])('asks for less where the node gives no more than %s', async (_, node) => {
  const read = await readAll(await readerOf(node))

  await expectAll(read)
  expect(read.pieces).toBeGreaterThan(3)
})

function hangWhenWide(body: string): Interceptor {
  const [, first, last] = /"fromBlock":"(0x[0-9a-f]+)","toBlock":"(0x[0-9a-f]+)"/.exec(body) ?? []
  return Number(last) - Number(first) > 10 ? hanging : pass
}

test.each<[string, Interceptor]>([
  ['have no time', withoutTimestamps],
  ['have the time 0', timeless(BLOCKS)],
  ['of some blocks have the time 0', timeless(BLOCKS / 2)],
])('reads the times of blocks if logs %s', async (_, node) => {
  await expectAll(await readAll(await readerOf(node)))
})

test.each<[string, Interceptor]>([
  ['is busy', status(429, { headers: { 'retry-after': '0' } })],
  ['is broken', status(502)],
  ['breaks the connection', reset],
  ['sends half an answer', halfAnswer],
  ['answers something else', status(200, { body: { hello: 'world' } })],
])('tries again when the node %s', async (_, fault) => {
  await expectAll(await readAll(await readerOf(atFirst(4, fault))))
})

test.each<[string, Interceptor]>([
  ['is down', reset],
  ['lags behind', lagging(() => 20)],
  ['mixes up blocks', confused],
  ['has lost its blocks', answering(null)],
  ['does not tell its chain', ofChain(() => null)],
])('goes to the next node when one %s', async (_, fault) => {
  const reader = await readerOf(fault, pass)

  await expectAll(await readAll(reader))
  expect((await reader.readHeads(signal)).head.number).toBe(await chain.head())
})

test.each<[string, Interceptor]>([
  ['hangs', hanging],
  ['fails', status(504)],
])('asks a node that %s on every range for one range', async (_, fault) => {
  const asked = new Set<string | undefined>()
  const onLogs: Interceptor = (request, forward) => {
    if (!request.body.includes('eth_getLogs')) return forward()
    asked.add(/"toBlock":"\w+"/.exec(request.body)?.[0])
    return fault(request, forward)
  }
  const reader = await readerOf(onLogs, pass)

  await expectAll(await readAll(reader))
  expect(asked.size).toBe(1)
})

test('asks a node that refuses wide ranges for narrower ones, and no other node', async () => {
  const isUnused: Interceptor = () => Promise.reject(new Error('The other node must not be asked'))

  await expectAll(await readAll(await readerOf(narrow(7), isUnused)))
})

test.each<[string, (reader: ChainReader) => Promise<unknown>]>([
  ['heads', reader => reader.readHeads(signal)],
  ['ranges', reader => reader.readRange({ first: 1, last: 9 }, signal)],
])('notices a node that changes its chain when it reads %s', async (_, read) => {
  let chainId = ANVIL
  const reader = await readerOf(ofChain(() => chainId))
  await read(reader)
  chainId = SEPOLIA

  await expect(read(reader)).rejects.toMatchObject(refused)
})

const forkedAt = (isForked: (blockNumber: number) => boolean) =>
  changeResults<object>('eth_getBlockByNumber', (block, [number]) =>
    isForked(Number(number)) ? { ...block, parentHash: `0x${'11'.repeat(32)}` } : block,
  )

test.each(['none', 'all'] as const)('a range continues the block below it, with proof %s', async proof => {
  const { hash: parentHash } = await (await readerOf(pass)).readHeader(4, signal)
  const range = { first: 5, last: 9, parentHash }
  const readBy = async (...nodes: Interceptor[]) =>
    (await readerWith({ proof }, ...nodes)).readRange(range, signal)

  const forked = forkedAt(number => number === 5)
  const { last } = await readBy(forked, pass)
  expect(last.number).toBe(9)
  await expect(readBy(forked)).rejects.toThrow('Block 5 is not the child of the block that was read')
})

test('a node that has the block is asked next, because another node may lack the block for good', async () => {
  const lacking = changeResults('eth_getBlockByNumber', (result, [block]) =>
    block === '0x5' ? null : result,
  )
  const reader = await readerOf(lacking, pass)
  const { hash } = await chain.block(5)

  expect(await reader.readHeaders([5], signal)).toEqual([undefined])
  expect(await reader.isAnyOnChain([{ number: 5, hash }], signal)).toBe(true)
  expect(await reader.readHeaders([5], signal)).toMatchObject([{ hash }])
  const alone = (await readerOf(lacking)).isAnyOnChain([{ number: 5, hash }], signal)
  await expect(alone).rejects.toMatchObject({ code: 'nodes-unavailable' })
})

test('a block has left the chain only if every node has another block, and nodes that hang delay the answer by less than the time of a function', async () => {
  const clock = createIdleClock()
  const mute = (name: string): ChainNode => ({
    name,
    request: (_method, _params, limited) =>
      new Promise((_, reject) => limited.addEventListener('abort', () => reject(limited.reason))),
  })
  const nodes = groupNodes([mute('one'), mute('two'), clock.watchNode(connectNode(chain.rpcUrl))], { clock })
  const reader = createChainReader({ network: 'base', nodes, contracts: 'any' })

  const blocks = [{ number: 5, hash: `0x${'5'.repeat(64)}` }]
  await expect(reader.isAnyOnChain(blocks, signal)).rejects.toMatchObject({ code: 'nodes-unavailable' })
  expect(clock.now()).toBeLessThan(240_000)
  expect(await (await readerOf(pass, pass)).isAnyOnChain(blocks, signal)).toBe(false)
})

test('a block on which two nodes must agree is read again until they agree', async () => {
  const { hash } = await chain.block(5)
  let replies = 0
  const orphaning = (most: number, number = 5) =>
    changeResults<object>('eth_getBlockByNumber', (block, params) =>
      Number(params[0]) !== number || ++replies > most ? block : { ...block, hash: `0x${'5'.repeat(64)}` },
    )
  const readBy = async (...nodes: Interceptor[]) => (await readerOf(...nodes)).readAgreedBlock(5, signal)

  await expect(readBy(orphaning(Number.POSITIVE_INFINITY), pass)).rejects.toThrow(
    /Block 5 is 0x\w{64} on 127\S+, but 0x\w{64} on 127/,
  )
  replies = 0
  expect(await readBy(orphaning(3), pass)).toMatchObject({ block: { hash } })
  expect(await readBy(pass, status(503))).toMatchObject({ block: { hash } })
  expect(await readBy(pass)).toMatchObject({ block: { hash } })
  replies = 0
  expect(await readBy(orphaning(1, 4))).toMatchObject({ parent: { hash: (await chain.block(4)).hash } })
})

test('a log that names another block than the last one of its range is not taken', async () => {
  const range = { first: 1, last: 8 }
  const mistaken = changeResults<{ blockNumber: string }[]>('eth_getLogs', logs =>
    logs.map(log => (log.blockNumber === '0x8' ? { ...log, blockHash: `0x${'11'.repeat(32)}` } : log)),
  )

  const { logs } = await (await readerOf(mistaken, pass)).readRange(range, signal)
  expect(placesOf(logs)).toEqual(placesOf(await chainEvents(chain, 'base', { fromBlock: 1, toBlock: 8 })))
  const mistake = (await readerOf(mistaken)).readRange(range, signal)
  await expect(mistake).rejects.toThrow('A log of block 8 contains the hash or the time of a different block')
})

test('each piece of a range continues the piece before it', async () => {
  const forked = forkedAt(number => number > 0)
  let requests = 0
  const reader = await readerOf((request, forward) => {
    requests += 1
    return (requests > 6 ? forked : narrow(7))(request, forward)
  })

  await expect(readAll(reader)).rejects.toThrow(/Block \d+ is not the child of the block that was read/)
})

test('no piece ends with an orphaned block', async () => {
  const orphaned = `0x${'22'.repeat(32)}`
  const stuck = changeResults<object>('eth_getBlockByNumber', (block, [number]) => {
    if (Number(number) < 6) return block
    return Number(number) === 6 ? { ...block, hash: orphaned } : null
  })
  const reader = await readerOf(stuck, pass)
  const size = createRangeSize({ initial: 7, maximum: 7 })
  const lasts: string[] = []
  for await (const { last } of readRanges(reader, { first: 1, last: 14 }, { size, ends: [6], signal })) {
    lasts.push(last.hash)
  }

  expect(lasts).toEqual(await Promise.all([6, 13, 14].map(async number => (await chain.block(number)).hash)))
})

test('a node with a final block above its newest block counts as failed', async () => {
  const final = changeResults<object>('eth_getBlockByNumber', (block, [number]) =>
    number === 'finalized' ? { ...block, number: '0xffffff' } : block,
  )

  const heads = (await readerOf(final)).readHeads(signal)
  await expect(heads).rejects.toThrow(/final block 16777215 is above the newest block \d+/)
  const { finalized, head } = await (await readerOf(final, pass)).readHeads(signal)
  expect(finalized?.number).toBeLessThanOrEqual(head.number)
})

/** The node answers the first `times` requests for the final block with this error. */
function withoutFinality(error: { code: number; message: string }, times = Number.POSITIVE_INFINITY) {
  let left = times
  return changeReplies(({ params }, reply) =>
    params[0] === 'finalized' && left-- > 0 ? { ...reply, result: undefined, error } : reply,
  )
}

test('a node that does not know the final block has none, and a busy node is asked again', async () => {
  const unknown = withoutFinality({ code: -32602, message: 'invalid block tag' })
  const busy = withoutFinality({ code: 429, message: 'Too many requests' }, 3)
  const readFinal = async (node: Interceptor) =>
    (await (await readerOf(node)).readHeads(signal)).finalized?.number

  expect(await readFinal(unknown)).toBeUndefined()
  expect(await readFinal(busy)).toBe(await readFinal(pass))
})

test('a final block near the newest block counts only on a development chain', async () => {
  const eager: Interceptor = ({ body }, forward) => forward(body.replaceAll('"finalized"', '"latest"'))
  const named = ofChain(() => '0x2105')
  const ofBase: Interceptor = (request, forward) =>
    named(request, body => eager({ ...request, body: body ?? request.body }, forward) as never)
  const readFinal = async (...nodes: Interceptor[]) =>
    (await (await readerOf(...nodes)).readHeads(signal)).finalized

  expect(await readFinal(ofBase, ofBase)).toBeUndefined()
  expect((await readFinal(eager))?.number).toBe(await chain.head())
})
