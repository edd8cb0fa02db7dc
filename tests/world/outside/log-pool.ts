import { type Hex, keccak256 } from 'viem'
import type { EventKind } from '../../../lib/events/event-kinds.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { createRandom, type Random } from '../../support/records/random.ts'
import { rawLogOf } from '../../support/records/raw-log-of.ts'

/** A log that a contract can emit, and the fields of the resulting event. */
export interface PooledLog {
  address: string
  topics: readonly string[]
  data: string
  /** The fields that do not depend on the record's block. Undefined if the log is not of a known kind. */
  fields: Partial<EventRecord> | undefined
  /** The bits that the log sets in a Bloom filter. */
  bits: readonly number[]
}

const addressOf = (kind: string, index: number) => `0x${kind}${String(index).padStart(38, '0')}`

export const CONTRACTS = [0, 1, 2].map(index => addressOf('c0', index))
export const USERS = [0, 1, 2, 3].map(index => addressOf('ab', index))
const NOBODY = addressOf('00', 0)

const POOL_SIZE = 150
/**
 * A batch with this many large ids is stored in chunks. It repeats only three distinct ids, because each distinct id
 * needs its own list.
 */
const LONG_BATCH = 150
const LARGE_IDS = [1n, 2n, 3n].map(number => String(2n ** 255n + number))
const SPECIAL_QUANTITIES = [0n, 2n ** 53n - 1n, 2n ** 53n + 1n, 2n ** 128n].map(String)
const BLOOM_BITS = 2048

/** All chains use these logs, because encoding new logs in each life would take most of the life's time. */
export const LOG_POOL: readonly PooledLog[] = createPool(createRandom(1))

function createPool(random: Random): PooledLog[] {
  return Array.from({ length: POOL_SIZE }, (_, index) => {
    const address = random.pick(CONTRACTS)
    if (index % 12 === 0) {
      const topics = [keccak256('0x01'), `0x${'00'.repeat(31)}07`]
      return { address, topics, data: '0x', fields: undefined, bits: bitsOf(address, topics) }
    }
    const fields = fieldsOf(random, address, index % 9 === 1 ? LONG_BATCH : random.below(4))
    const { topics, data } = rawLogOf({ ...makeEvent('OwnershipTransferred'), ...fields } as EventRecord)
    return { address, topics, data, fields, bits: bitsOf(address, topics) }
  })
}

function fieldsOf(random: Random, address: string, size: number): Partial<EventRecord> {
  const [a, b, c] = [random.pick(USERS), random.pick([...USERS, NOBODY]), random.pick([...USERS, NOBODY])]
  const tokenIds = Array.from({ length: size }, () =>
    size === LONG_BATCH ? random.pick(LARGE_IDS) : String(random.below(6)),
  )
  const quantities = tokenIds.map(() => quantityOf(random))
  const [tokenId = '3', quantity = quantityOf(random)] = [tokenIds[0], quantities[0]]
  const batches: Partial<EventRecord>[] = [
    { event: 'MintedBatch', address, token: random.pick(CONTRACTS), owner: b, tokenIds, quantities },
    { event: 'TransferBatch', address, operator: a, from: b, to: c, tokenIds, quantities },
    { event: 'TransferBatch', address, operator: a, from: a, to: b, tokenIds, quantities },
  ]
  if (size === LONG_BATCH) return random.pick(batches)
  const others: Record<Exclude<EventKind, 'MintedBatch' | 'TransferBatch'>, Partial<EventRecord>> = {
    Minted: {
      event: 'Minted',
      address,
      creator: a,
      initialOwner: c,
      bucketHash: `=bucket ${size}`,
      tokenId,
      quantity,
    },
    TransferSingle: {
      event: 'TransferSingle',
      address,
      operator: a,
      from: b,
      to: c,
      tokenIds: [tokenId],
      quantities: [quantity],
    },
    OwnershipTransferred: { event: 'OwnershipTransferred', address, previousOwner: a, newOwner: b },
  }
  return random.pick([...batches, ...Object.values(others)])
}

function quantityOf(random: Random): string {
  return random.pick([String(random.below(10)), ...SPECIAL_QUANTITIES])
}

/** The bits that a log's address and topics set in a Bloom filter (Yellow Paper, 4.3.1). */
function bitsOf(address: string, topics: readonly string[]): number[] {
  return [address, ...topics].flatMap(value => {
    const hash = keccak256(value as Hex, 'bytes')
    return [0, 2, 4].map(at => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) % BLOOM_BITS)
  })
}

export function bloomOf(bits: readonly number[]): string {
  const bytes = Buffer.alloc(BLOOM_BITS / 8)
  for (const bit of bits) {
    const at = bytes.length - 1 - (bit >> 3)
    bytes[at] = (bytes[at] ?? 0) | (1 << (bit & 7))
  }
  return `0x${bytes.toString('hex')}`
}
