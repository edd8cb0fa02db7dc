import { createRandom, type Random } from '../records/random.ts'
import type { Interceptor } from './fault-proxy.ts'
import { changeReplies } from './rpc-faults.ts'

interface Log {
  address: string
  topics: string[]
  data: string
  logIndex: string
  transactionHash: string
}
interface Receipt {
  logs: Log[]
  transactionHash: string
  [field: string]: unknown
}
type Block = Record<string, unknown> & { transactions: string[] }

/** Returns a falsified reply. A lie that needs a longer list returns the list unchanged. */
type Lie<T> = (truth: T, random: Random) => unknown

const without = <T>(list: readonly T[], random: Random) => list.toSpliced(random.below(list.length), 1)
const twice = <T>(list: readonly T[], random: Random) => {
  const at = random.below(list.length)
  return list.toSpliced(at, 0, ...list.slice(at, at + 1))
}
const changed = <T>(list: readonly T[], random: Random, change: (one: T) => T): T[] => {
  const at = random.below(list.length)
  return list.map((one, index) => (index === at ? change(one) : one))
}
/** Flips one bit of a value. The length stays the same. */
function flipBit(hex: string, random: Random): string {
  if (hex.length <= 2) return hex
  const at = 2 + random.below(hex.length - 2)
  const digit = Number.parseInt(hex[at] ?? '0', 16) ^ (1 << random.below(4))
  return hex.slice(0, at) + digit.toString(16) + hex.slice(at + 1)
}

const omitAll: Lie<Log[]> = () => []
const omitTopic: Lie<Log[]> = (logs, random) => {
  const topic = random.pick(logs).topics[0]
  return logs.filter(({ topics }) => topics[0] !== topic)
}
const repeat: Lie<Log[]> = twice
const reorder: Lie<Log[]> = logs => logs.toReversed()
const alterAddress: Lie<Log[]> = (logs, random) =>
  changed(logs, random, log => ({ ...log, address: flipBit(log.address, random) }))
const alterUser: Lie<Log[]> = (logs, random) =>
  changed(logs, random, log => ({
    ...log,
    topics: log.topics.map((topic, index) => (index === 1 ? flipBit(topic, random) : topic)),
  }))

/** Lies that the block's Bloom filter disproves, or that are inconsistent in themselves. */
const LIES_AGAINST_BLOOM: Lie<Log[]>[] = [omitAll, omitTopic, repeat, reorder, alterAddress, alterUser]

const ANY_LIES: Lie<Log[]>[] = [
  ...LIES_AGAINST_BLOOM,
  without,
  (logs, random) => changed(logs, random, log => ({ ...log, data: flipBit(log.data, random) })),
  (logs, random) => changed(logs, random, log => ({ ...log, logIndex: '0x7f' })),
  (logs, random) =>
    changed(logs, random, log => ({ ...log, transactionHash: flipBit(log.transactionHash, random) })),
]

const ofLogs =
  (lie: Lie<Log[]>): Lie<Receipt[]> =>
  (receipts, random) =>
    changed(receipts, random, receipt =>
      receipt.logs.length === 0 ? receipt : { ...receipt, logs: lie(receipt.logs, random) as Log[] },
    )
const ofField =
  (field: string): Lie<Receipt[]> =>
  (receipts, random) =>
    changed(receipts, random, receipt => ({ ...receipt, [field]: flipBit(String(receipt[field]), random) }))

/**
 * The service derives the log index and the transaction of each log from positions in the list of receipts. So lies
 * about these two fields of a log change nothing.
 */
const RECEIPT_LIES: Lie<Receipt[]>[] = [
  without,
  twice,
  receipts => receipts.toReversed(),
  () => [],
  () => null,
  ...ANY_LIES.map(ofLogs),
  ...['status', 'cumulativeGasUsed', 'logsBloom', 'transactionHash', 'type'].map(ofField),
]

const HEADER_LIES: Lie<Block>[] = [
  block => ({ ...block, logsBloom: `0x${'00'.repeat(256)}` }),
  (block, random) => ({ ...block, receiptsRoot: flipBit(String(block.receiptsRoot), random) }),
  (block, random) => ({
    ...block,
    transactions: block.transactions.length ? without(block.transactions, random) : [],
  }),
]

export interface LyingNodeOptions {
  random: Random
  /** The share of replies that are lies. */
  rate: number
  /** A node with lost data repeats the same lie in every reply. Other nodes lie sometimes. */
  isStubborn: boolean
  /** `about-logs` adds lies about logs that no Bloom filter reveals. `any` also adds lies about headers and receipts. */
  lies: 'against-bloom' | 'about-logs' | 'any'
  /** Whether the node reports finality. Otherwise none of its blocks is final. */
  knowsFinality: boolean
}

/** A node that answers every request, sometimes with a lie. */
export function lyingNode(options: LyingNodeOptions): Interceptor {
  const { lies, knowsFinality } = options
  const choose = chooseLies(options)
  return changeReplies(({ method, params }, reply) => {
    const { result } = reply
    if (!knowsFinality && params[0] === 'finalized') return { ...reply, result: null }
    const key = JSON.stringify([method, params])
    const tell = <T>(truth: T, choices: readonly Lie<T>[]) => ({
      ...reply,
      result: choose(key, choices)(truth),
    })
    if (method === 'eth_getLogs' && Array.isArray(result) && result.length > 0) {
      return tell(result as Log[], lies === 'against-bloom' ? LIES_AGAINST_BLOOM : ANY_LIES)
    }
    if (lies !== 'any' || !result) return reply
    if (method === 'eth_getBlockReceipts' && (result as Receipt[]).length > 0) {
      return tell(result as Receipt[], RECEIPT_LIES)
    }
    return method === 'eth_getBlockByNumber' ? tell(result as Block, HEADER_LIES) : reply
  })
}

function chooseLies({ random, rate, isStubborn }: LyingNodeOptions) {
  const told = new Map<string, (truth: never) => unknown>()
  return <T>(key: string, choices: readonly Lie<T>[]): ((truth: T) => unknown) => {
    const known = isStubborn ? told.get(key) : undefined
    if (known) return known as (truth: T) => unknown
    const lie = random.chance(rate) ? random.pick(choices) : undefined
    const seed = random.below(2 ** 31)
    const tell = (truth: T) => (lie ? lie(truth, createRandom(seed)) : truth)
    told.set(key, tell as (truth: never) => unknown)
    return tell
  }
}
