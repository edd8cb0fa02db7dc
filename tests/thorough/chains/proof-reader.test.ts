import { encodeFunctionData } from 'viem'
import type { ProvableHeader } from '../../../lib/chain/nodes/block-header.ts'
import { connectNode } from '../../../lib/chain/nodes/chain-node.ts'
import { groupNodes } from '../../../lib/chain/nodes/node-group.ts'
import { createProofReader, type ProofReader } from '../../../lib/chain/nodes/proof-reader.ts'
import type { BlockProof } from '../../../lib/chain/nodes/read-proven-block.ts'
import { useChain } from '../../support/chain/chain.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { compiledContract } from '../../support/chain/compiled-contract.ts'
import { createIdleClock } from '../../support/chain/idle-clock.ts'
import { mineEachType } from '../../support/chain/mine-each-type.ts'
import { type Interceptor, useFaultProxies } from '../../support/faults/fault-proxy.ts'
import { pass } from '../../support/faults/faults.ts'
import { changeReplies } from '../../support/faults/rpc-faults.ts'

const signal = new AbortController().signal
/** More blocks than a single request for headers covers. */
const EMPTY_BLOCKS = 220
/** The first block of polygon that may have state-sync logs. */
const FIRST_SPRINT = 16

let eachType: number
const chain = useChain()
beforeAll(async () => {
  const { abi } = await compiledContract('Collectibles')
  const [ada, bob] = chain.users as [`0x${string}`, `0x${string}`]
  const mint = { by: ada, contract: 1, functionName: 'mint', args: [bob, 1n, 1n, 'first'] }
  await chain.mine([mint, mint, mint])
  await mineEachType(chain, encodeFunctionData({ abi, ...mint }))
  eachType = await chain.head()
  await chain.mineEmpty(EMPTY_BLOCKS)
})

const startFaultProxy = useFaultProxies()

async function readerOf(
  nodes: Interceptor[],
  options: Partial<Parameters<typeof createProofReader>[0]> = {},
): Promise<ProofReader> {
  const clock = createIdleClock()
  const started = await Promise.all(nodes.map(node => startFaultProxy(chain.rpcUrl, node)))
  const connected = started.map(({ url }) => clock.watchNode(connectNode(url, { retryCount: 0 })))
  const group = groupNodes(connected, { clock, maxRounds: 3 })
  return createProofReader({ network: 'base', nodes: group, contracts: 'any', ...options })
}

async function headersOf(reader: ProofReader, last: number): Promise<ProvableHeader[]> {
  const headers = []
  for await (const part of reader.readHeaders({ first: 0, last }, signal)) headers.push(...part)
  return headers
}

async function proofsOf(reader: ProofReader, last = eachType): Promise<BlockProof[]> {
  const headers = await headersOf(reader, last)
  return Promise.all(headers.map(header => reader.proveBlock(header, signal)))
}

const idsOf = (proofs: readonly BlockProof[]) =>
  proofs.flatMap(proof =>
    proof.proof === 'receipts'
      ? proof.logs.map(({ transactionHash, logIndex }) => `base:${transactionHash}:${logIndex}`)
      : [],
  )

const changeReceipts = (change: (receipts: Record<string, unknown>[]) => unknown): Interceptor =>
  changeReplies(({ method }, reply) =>
    method === 'eth_getBlockReceipts'
      ? { ...reply, result: change(reply.result as Record<string, unknown>[]) }
      : reply,
  )

const withoutBlockReceipts: Interceptor = changeReplies(({ method }, reply) =>
  method === 'eth_getBlockReceipts'
    ? { id: reply.id, ...{ jsonrpc: '2.0' }, error: { code: -32601, message: 'Method not found' } }
    : reply,
)

test.each<[string, Interceptor]>([
  ['gives all receipts of a block at once', pass],
  ['gives receipts one by one', withoutBlockReceipts],
])('proves all events of blocks with every type of transaction where the node %s', async (_, node) => {
  const proofs = await proofsOf(await readerOf([node]))

  expect(proofs[0]).toEqual({ proof: 'empty' })
  expect(idsOf(proofs)).toEqual((await chainEvents(chain, 'base')).map(({ id }) => id))
  expect(proofs[eachType]).toMatchObject({ proof: 'receipts', logs: expect.any(Array) })
})

test.each<[string, (receipts: Record<string, unknown>[]) => unknown, RegExp]>([
  ['gives none', () => [], /0 receipts for 5 transactions/],
  ['gives an unknown type', ([first, ...rest]) => [{ ...first, type: '0x55' }, ...rest], /type 0x55/],
  ['gives no list', () => ({}), /unexpected form/],
])('proves nothing by a node that %s, and goes to the next one', async (_, change, reason) => {
  const alone = await readerOf([changeReceipts(change)])
  const header = (await headersOf(alone, eachType)).at(-1) as ProvableHeader

  expect(await alone.proveBlock(header, signal)).toEqual({
    proof: 'none',
    reason: expect.stringMatching(reason),
    hasRule: !reason.source.includes('type'),
  })
  const both = await readerOf([changeReceipts(change), pass])
  expect(await both.proveBlock(header, signal)).toMatchObject({ proof: 'receipts' })
})

test('never takes an error for an empty block', async () => {
  const failing = changeReplies(({ method }, reply) =>
    method.endsWith('Receipt') || method.endsWith('Receipts') ? { ...reply, result: null } : reply,
  )
  const reader = await readerOf([failing])
  const header = (await headersOf(reader, eachType)).at(-1) as ProvableHeader

  await expect(reader.proveBlock(header, signal)).rejects.toMatchObject({ code: 'nodes-unavailable' })
})

test('takes no header for proven that has not the hash that it names', async () => {
  const altered = changeReplies(({ params }, reply) => {
    const block = reply.result as Record<string, unknown>
    return params[0] === '0x2'
      ? { ...reply, result: { ...block, logsBloom: `0x${'00'.repeat(256)}` } }
      : reply
  })
  const [, , header] = await headersOf(await readerOf([altered]), 2)

  expect(header?.doubt).toMatch(
    /^The hash of the header differs from the block hash that the node returned \(node 127\.0\.0\.1:\d+\)$/,
  )
  const reader = await readerOf([altered])
  expect(await reader.proveBlock(header as ProvableHeader, signal)).toEqual({
    proof: 'none',
    reason: header?.doubt,
    hasRule: false,
  })
  const [, , other] = await headersOf(await readerOf([altered, pass]), 2)
  expect(other?.doubt).toBeUndefined()
})

test('says which blocks of polygon may have logs to which they do not commit', async () => {
  const polygon = changeReplies(({ method }, reply) =>
    method === 'eth_chainId' ? { ...reply, result: '0x89' } : reply,
  )
  const proofs = await proofsOf(await readerOf([polygon], { network: 'polygon' }), FIRST_SPRINT + 1)

  expect(proofs[FIRST_SPRINT]).toEqual({
    proof: 'partial',
    logs: [],
    unproven: [],
    reason: expect.stringContaining('state-sync'),
  })
  expect(proofs.slice(1).map(({ proof }) => proof)).toEqual(
    proofs.slice(1).map((_, index) => {
      const number = index + 1
      return number === FIRST_SPRINT ? 'partial' : number <= eachType ? 'receipts' : 'empty'
    }),
  )
})
