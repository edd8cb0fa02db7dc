import { createHash } from 'node:crypto'
import { type Hex, keccak256, toRlp } from 'viem'
import { ruleOf } from '../../../lib/chain/proof/chain-rules.ts'
import { encodeReceipt } from '../../../lib/chain/proof/encode-receipt.ts'
import { orderedTrieRoot } from '../../../lib/chain/proof/ordered-trie.ts'
import { CHAINS, type Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import type { Random } from '../../support/records/random.ts'
import { bloomOf, LOG_POOL, type PooledLog } from './log-pool.ts'

interface Transaction {
  hash: string
  logs: readonly PooledLog[]
}

export type Block = ReturnType<typeof buildBlock>
export type NodeLog = Block['logs'][number]

/**
 * From this block on, receipts have their newest form. Most chains begin here, so that walks over several networks must
 * merge their events.
 */
const FIRST_BLOCK = 85_000_000
/** Exceeds the maximum of the filter `blockNumber`. */
const FIRST_BLOCK_OF_ARBITRUM = 100_000_007
const GAS = 21_000
/** At each end of a long chain, this many blocks are as likely to have transactions as the blocks of a short chain. */
const MOST_BUSY_BLOCKS = 20

/** The chain's block hashes, receipts' roots and Bloom filters are correct. */
export type SimChain = ReturnType<typeof createSimChain>

export function createSimChain(
  network: Network,
  {
    random,
    startMs,
    firstBlocks = 4,
    finalDistance = firstBlocks,
    begin = [],
  }: {
    random: Random
    startMs: number
    firstBlocks?: number
    finalDistance?: number
    /** The blocks that this chain shares with another chain before the two split. */
    begin?: readonly Block[]
  },
) {
  const first = network === 'arbitrum' ? FIRST_BLOCK_OF_ARBITRUM : FIRST_BLOCK
  const blocks: Block[] = []
  const byHash = new Map<string, Block>()
  const everSeen = new Map<string, EventRecord>()
  const pool: Transaction[] = []
  const replaced = new Set<number>()
  let happening: { requests: number; act: () => void } | undefined
  let [finalNumber, salt, spacing] = [first, 0, random.pick([0, 1, 1, 2, 12])]
  let seconds = Math.floor(startMs / 1000) - 3600

  function transaction(): Transaction {
    salt += 1
    const count = random.pick([0, 1, 1, 2, 3])
    const logs = Array.from({ length: count }, () => random.pick(LOG_POOL))
    return { hash: sha(`${network} ${salt} ${random.below(2 ** 31)}`), logs }
  }

  /** Adds a block with some of the orphaned transactions, followed by up to `count` new transactions. */
  function mine(count: number) {
    const transactions: Transaction[] = []
    while (pool.length > 0 && random.chance(0.6))
      transactions.push(...pool.splice(random.below(pool.length), 1))
    for (let index = random.below(count + 1); index > 0; index -= 1) transactions.push(transaction())
    const parent = blocks.at(-1)
    salt += 1
    seconds = Math.max(seconds, parent?.timestamp ?? 0) + (random.chance(0.3) ? 0 : spacing)
    const number = parent ? parent.number + 1 : first
    const parentHash = parent?.hash ?? sha('genesis')
    const block = buildBlock({ network, number, seconds, salt, transactions, parentHash })
    blocks.push(block)
    byHash.set(block.hash, block)
    for (const event of block.events) everSeen.set(`${event.id} ${event.blockHash}`, event)
  }

  const head = () => blocks.at(-1) as Block
  const chain = {
    network,
    first,
    /** The canonical chain, beginning with the block `first`. */
    blocks: blocks as readonly Block[],
    head,
    at: (number: number) => blocks[number - first],
    finalized: () => blocks[finalNumber - first] as Block,
    /** Also finds a block that has left the chain. */
    ofHash: (hash: string) => byHash.get(hash),
    /** Every event that has ever been in a block, by id and block hash. */
    everSeen: everSeen as ReadonlyMap<string, EventRecord>,
    wasReplaced: (number: number) => replaced.has(number),
    mine,
    /**
     * Replaces up to `depth` of the newest blocks, none of them final, with as many new blocks or one more. Returns the
     * number of replaced blocks.
     */
    reorganise(depth: number): number {
      const possible = Math.min(depth, head().number - finalNumber)
      if (possible < 1) return 0
      const gone = blocks.splice(blocks.length - possible)
      seconds = blocks.at(-1)?.timestamp ?? seconds
      for (const { number } of gone) replaced.add(number)
      // Most orphaned transactions return later, in a block with the same number or with another number.
      for (const { transactions } of gone)
        for (const each of transactions) if (random.chance(0.8)) pool.push(each)
      for (let left = possible + random.below(2); left > 0; left -= 1) mine(random.chance(0.5) ? 0 : 1)
      return possible
    },
    /** Calls `act` right before the n-th request from now is answered, where n is `requests`. */
    soon(wanted: typeof happening) {
      happening = wanted
    },
    noteRequest() {
      if (!happening) return
      happening.requests -= 1
      if (happening.requests > 0) return
      const { act } = happening
      happening = undefined
      act()
    },
    /** Makes all blocks final except the newest `distance` blocks. Never reverses finality. */
    finalize(distance: number) {
      finalNumber = Math.max(finalNumber, Math.min(head().number, head().number - distance))
    },
  }
  for (const block of begin) {
    blocks.push(block)
    byHash.set(block.hash, block)
  }
  // Most blocks of a long chain are empty, because empty blocks are quick to build.
  for (let left = firstBlocks; left > 0; left -= 1)
    mine(Math.min(left, firstBlocks - left) < MOST_BUSY_BLOCKS || random.chance(0.05) ? 1 : 0)
  if (finalDistance < firstBlocks) chain.finalize(finalDistance)
  return chain
}

const sha = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`
const hex = (value: number) => `0x${value.toString(16)}`
const ZERO_HASH = `0x${'00'.repeat(32)}`
/** The receipts' roots of blocks with at most one log. */
const knownRoots = new Map<string, string>()

interface Mined {
  network: Network
  number: number
  seconds: number
  salt: number
  transactions: readonly Transaction[]
  parentHash: string
}

function buildBlock({ network, number, seconds, salt, transactions, parentHash }: Mined) {
  const ruling = ruleOf({ chainId: CHAINS[network].chainId, number })
  if (!('rule' in ruling)) throw new Error(ruling.reason)
  const receipts = transactions.map(({ hash, logs }, index) => ({
    type: '0x2',
    status: '0x1',
    transactionHash: hash,
    transactionIndex: hex(index),
    cumulativeGasUsed: hex((index + 1) * GAS),
    logsBloom: bloomOf(logs.flatMap(({ bits }) => bits)),
    logs: logs.map(({ address, topics, data }) => ({ address, topics: [...topics], data })),
  }))
  // The encoding of receipts does not contain transaction hashes, so short blocks often have the same root.
  const key = JSON.stringify([
    network,
    transactions.map(({ logs }) => logs.map(log => LOG_POOL.indexOf(log))),
  ])
  const receiptsRoot = knownRoots.get(key) ?? rootOf(receipts, ruling.rule)
  if (transactions.flatMap(({ logs }) => logs).length < 2) knownRoots.set(key, receiptsRoot)
  const header = {
    parentHash,
    sha3Uncles: ZERO_HASH,
    miner: `0x${'00'.repeat(20)}`,
    stateRoot: ZERO_HASH,
    transactionsRoot: ZERO_HASH,
    receiptsRoot,
    logsBloom: bloomOf(transactions.flatMap(({ logs }) => logs.flatMap(({ bits }) => bits))),
    difficulty: '0x0',
    number: hex(number),
    gasLimit: hex(30_000_000),
    gasUsed: hex(transactions.length * GAS),
    timestamp: hex(seconds),
    extraData: hex(salt + 2 ** 28),
    mixHash: ZERO_HASH,
    nonce: '0x0000000000000000',
    baseFeePerGas: '0x7',
  }
  const hash: string = keccak256(toRlp(Object.values(header).map(canonical)))
  const createdAt = new Date(seconds * 1000).toISOString()
  const emitted = transactions
    .flatMap(({ hash: transactionHash, logs }) => logs.map(log => ({ ...log, transactionHash })))
    .map((log, logIndex) => ({ ...log, logIndex }))
  return {
    number,
    hash,
    parentHash,
    timestamp: seconds,
    transactions,
    receipts,
    /** The block as `eth_getBlockByNumber` returns it. */
    header: { ...header, hash, transactions: transactions.map(each => each.hash) },
    logs: emitted.map(({ address, topics, data, transactionHash, logIndex }) => ({
      ...{ address, topics, data, transactionHash, logIndex: hex(logIndex), removed: false },
      ...{ blockNumber: hex(number), blockHash: hash, blockTimestamp: hex(seconds) },
    })),
    /** The events as the service should return them. */
    events: emitted.flatMap(({ fields, transactionHash, logIndex }) => {
      const id = `${network}:${transactionHash}:${logIndex}`
      const common = { id, network, blockNumber: number, blockHash: hash, transactionHash, logIndex }
      return fields ? [{ ...common, createdAt, ...fields } as EventRecord] : []
    }),
  }
}

function rootOf(receipts: readonly object[], rule: Parameters<typeof encodeReceipt>[1]): string {
  const values = receipts.map(receipt => {
    const encoded = encodeReceipt(receipt as Parameters<typeof encodeReceipt>[0], rule)
    if (!('value' in encoded)) throw new Error(encoded.reason)
    return encoded.value
  })
  return orderedTrieRoot(values)
}

/** Removes leading zeros from a quantity, as RLP requires. Leaves hashes and other byte strings unchanged. */
function canonical(value: string): Hex {
  if (value.length % 2 === 0 && value.length > 6) return value as Hex
  const digits = value.slice(2).replace(/^0+/, '')
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`
}
