import { toEventSelector } from 'viem'
import type { UnprovenLogs } from '../../lib/chain/nodes/read-proven-logs.ts'
import { useChain } from '../support/chain/chain.ts'
import { chainEvents } from '../support/chain/chain-truth.ts'
import { indexChain } from '../support/chain/index-chain.ts'
import { type Interceptor, useFaultProxies } from '../support/faults/fault-proxy.ts'
import { pass } from '../support/faults/faults.ts'
import { changeResults } from '../support/faults/rpc-faults.ts'
import { useEngine } from '../support/store/engine.ts'
import { readIndexedTable } from '../support/store/indexed-table.ts'
import { itemsOfAll } from '../support/store/stored-items.ts'

const engine = useEngine()
const NETWORK = 'base'
const MINTED = toEventSelector('Minted(address,address,string,uint256,uint256)')
/** In blocks. */
const FINAL_DEPTH = 64
/**
 * Block numbers. Block `MINTS` has two mints, and block `APPROVAL` has a mint and another contract's approval. The
 * block between them has no events.
 */
const MINTS = 2
const APPROVAL = 4

const chain = useChain()
beforeAll(async () => {
  const [ada, bob] = chain.users as [`0x${string}`, `0x${string}`]
  const mint = { by: ada, contract: 0, functionName: 'mint', args: [bob, 1n, 1n, 'first'] }
  const approve = { by: bob, contract: 1, functionName: 'setApprovalForAll', args: [ada, true] }
  await chain.mine([mint, mint])
  await chain.mineEmpty(1)
  await chain.mine([mint, approve])
})

const startFaultProxy = useFaultProxies()

async function startNode(fault: Interceptor = pass) {
  const calls: (string | undefined)[] = []
  const proxy = await startFaultProxy(chain.rpcUrl, (request, forward) => {
    calls.push(...[...request.body.matchAll(/"method":"(\w+)"/g)].map(([, method]) => method))
    return fault(request, forward)
  })
  const count = (method: string) => calls.filter(each => each === method).length
  return { url: proxy.url, count }
}

type Options = Partial<Omit<Parameters<typeof indexChain>[0], 'nodes'>>

async function index({ nodes, ...options }: Options & { nodes: { url: string }[] }) {
  const tableName = await engine.createEventsTable()
  const unproven: UnprovenLogs[] = []
  const run = await indexChain({
    endpoint: engine.endpoint,
    tableName,
    network: NETWORK,
    // The block before `fromBlock` is block 0, which is final from the start.
    fromBlock: 1,
    rpcUrls: nodes.map(({ url }) => url),
    onUnproven: each => unproven.push(each),
    ...options,
  }).catch((error: Error) => error)
  const { events, checkpoint } = await readIndexedTable(engine.client, tableName, NETWORK)
  return { run, events, checkpoint, unproven }
}

const truth = async () => itemsOfAll(await chainEvents(chain, NETWORK))

const omitMinted = changeResults<{ topics: string[] }[]>('eth_getLogs', logs =>
  logs.filter(({ topics }) => topics[0] !== MINTED),
)

/**
 * Omits the first of several logs. Other logs with the same contract and topics still account for the Bloom filter's
 * bits.
 */
const omitFirst = changeResults<object[]>('eth_getLogs', logs => (logs.length > 1 ? logs.slice(1) : logs))

/** Omits a receipt of each block, so that the node's receipts prove nothing. */
const lossy = changeResults<object[]>('eth_getBlockReceipts', receipts => receipts.slice(1))

const changeBlocks = (change: (block: object, number: unknown) => object | null) =>
  changeResults<object | null>('eth_getBlockByNumber', (block, [number]) => block && change(block, number))

/** Combines two faults, of which the second changes the replies of the first. */
const both =
  (first: Interceptor, second: Interceptor): Interceptor =>
  (request, forward) =>
    second(request, () => first(request, forward) as ReturnType<typeof forward>)

const lacksBlocks = both(
  omitMinted,
  changeBlocks((block, number) => (Number(number) >= MINTS ? null : block)),
)

describe('at the head', () => {
  test.each<
    [string, Interceptor[], { ofContracts?: boolean; proof?: 'none'; logs?: number[]; receipts?: number[] }]
  >([
    [
      'no receipts are read where nothing must be proven',
      [pass],
      { ofContracts: true, proof: 'none', receipts: [0] },
    ],
    [
      'a node that omits logs is asked for the receipts of the blocks in doubt',
      [omitMinted],
      { receipts: [2] },
    ],
    ['no receipts are read where replies fit the Bloom filters', [pass], { logs: [3], receipts: [0] }],
    [
      'with contracts, nodes that all omit the same part of the logs leave no gap',
      [omitFirst, omitFirst],
      { ofContracts: true },
    ],
    [
      'with contracts, a node whose receipts prove nothing is replaced, even if its logs fit',
      [lossy, pass],
      { ofContracts: true, receipts: [expect.any(Number), 3] },
    ],
    [
      'a node of another host that lacks the block settles nothing',
      [omitMinted, lacksBlocks],
      { logs: [expect.any(Number), 2], receipts: [2, 0] },
    ],
    ['receipts settle which of two different replies is true', [omitMinted, pass], { receipts: [2, 0] }],
  ])('%s', async (_, faults, { ofContracts = false, logs, receipts, ...proof }) => {
    const nodes = await Promise.all(faults.map(startNode))
    const { events } = await index({
      nodes,
      ...proof,
      ...(ofContracts && { contracts: [...chain.contracts] }),
    })

    expect(events).toEqual(await truth())
    if (logs) expect(nodes.map(({ count }) => count('eth_getLogs'))).toEqual(logs)
    if (receipts) expect(nodes.map(({ count }) => count('eth_getBlockReceipts'))).toEqual(receipts)
  })

  test('with contracts, receipts are read of the blocks whose Bloom filters have one of them', async () => {
    const node = await startNode()
    const contracts = [chain.contracts[1] as string]
    const { run } = await index({ nodes: [node], contracts, fromBlock: MINTS })

    expect(run).toMatchObject({ events: 0, checkpoint: { blockNumber: APPROVAL } })
    expect([node.count('eth_getBlockReceipts'), node.count('eth_getLogs')]).toEqual([1, 0])
  })

  test('for all contracts, a node of another host that has the same logs settles doubt without receipts', async () => {
    const [first, second] = [await startNode(omitMinted), await startNode(omitMinted)]
    await index({ nodes: [first, second] })

    expect(second.count('eth_getLogs')).toBe(2)
    expect([first, second].map(({ count }) => count('eth_getBlockReceipts'))).toEqual([0, 0])
  })
})

describe('where no rule fits', () => {
  const otherChain = changeResults('eth_chainId', () => '0x270f')
  const otherHeader = changeBlocks(block => ({ ...block, requestsHash: undefined, newRoot: '0x00' }))
  const bare = changeBlocks(block => {
    const { number, hash, parentHash, timestamp, logsBloom } = block as Record<string, unknown>
    return { number, hash, parentHash, timestamp, logsBloom }
  })
  const NO_RULE = 'It is unknown how the chain with id 9999 encodes receipts'

  test('doubt is settled by a second reading, and told once', async () => {
    const node = await startNode(both(omitMinted, otherChain))
    const { unproven } = await index({ nodes: [node], chainId: 9999 })

    expect(unproven).toEqual([{ blockNumber: 2, reason: NO_RULE }])
  })

  const unknownType = changeResults<object[]>('eth_getBlockReceipts', receipts =>
    receipts.map(receipt => ({ ...receipt, type: '0x5' })),
  )
  const NO_TYPE = expect.stringContaining('It is unknown how receipts of type 0x5 are encoded (node')

  test.each<[string, fault: Interceptor, reason: string, { chainId?: number; readsTwice?: boolean }]>([
    ['blocks with a contract', otherChain, NO_RULE, { chainId: 9999, readsTwice: true }],
    ['blocks with receipts of an unknown type', unknownType, NO_TYPE, { readsTwice: true }],
    ['headers with unknown fields', otherHeader, 'The header has unknown fields: newRoot', {}],
    ['blocks without what a proof needs', bare, "The header's field sha3Uncles is missing or malformed", {}],
  ])(
    '%s are reported once, and logs are taken as they are',
    async (_, fault, reason, { chainId, readsTwice }) => {
      const node = await startNode(fault)
      const ofContracts = readsTwice && { contracts: [...chain.contracts] }
      const { events, unproven } = await index({ nodes: [node], ...(chainId && { chainId }), ...ofContracts })

      expect(events).toEqual(await truth())
      if (readsTwice) expect(node.count('eth_getLogs')).toBe(6)
      expect(unproven).toEqual([{ blockNumber: 1, reason }])
    },
  )

  test('a run that is to prove all ends, and names block and reason', async () => {
    const node = await startNode(otherChain)
    const { run } = await index({ nodes: [node], chainId: 9999, proof: 'all' })

    expect(run).toMatchObject({
      code: 'unproven-block',
      message: expect.stringMatching(
        /^base: the logs of block 1 are not proven: It is unknown how the chain with id 9999 encodes receipts\. .*--proof/,
      ),
    })
  })
})

describe('where all logs are proven', () => {
  test.each([0, FINAL_DEPTH])(
    'events are those of the receipts, with %i blocks behind them',
    async blocks => {
      if (blocks > 0) await chain.mineEmpty(blocks + 1)
      const node = await startNode(omitMinted)
      const { events, unproven } = await index({ nodes: [node], proof: 'all' })

      expect(events).toEqual(await truth())
      expect([unproven, node.count('eth_getLogs'), node.count('eth_getBlockReceipts')]).toEqual([[], 0, 3])
    },
  )

  test('a block whose receipts lack a log ends the run before that block, and its error names both', async () => {
    type Receipt = { logs: object[]; blockNumber: string }
    const lacksLog = changeResults<Receipt[]>('eth_getBlockReceipts', receipts =>
      receipts.map(receipt =>
        Number(receipt.blockNumber) === APPROVAL ? { ...receipt, logs: receipt.logs.slice(1) } : receipt,
      ),
    )
    const { run, checkpoint } = await index({ nodes: [await startNode(lacksLog)], proof: 'all' })

    const message = /block 4 are not proven: The receipts do not .*\(node 127\.0\.0\.1:\d+\)/
    expect(run).toMatchObject({ code: 'unproven-block', message: expect.stringMatching(message) })
    expect(checkpoint?.blockNumber ?? -1).toBeLessThan(APPROVAL)
  })
})
