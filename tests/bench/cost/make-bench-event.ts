import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import type { EventKind } from '../../../lib/events/event-kinds.ts'
import type { Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { recordId } from '../../../lib/events/record-fields.ts'

/**
 * Separate from the service's list of networks, because adding a network to it would make measurements incomparable.
 */
export const BENCH_NETWORKS = [
  'arbitrum',
  'base',
  'bnb-chain',
  'ethereum',
  'polygon',
] as const satisfies Network[]

export type BenchNetwork = (typeof BENCH_NETWORKS)[number]

/** The share of each kind in 100,000 events. Ownership transfers are a thousand times rarer than transfers. */
const KIND_SHARES: [EventKind, number][] = [
  ['TransferSingle', 85_915],
  ['TransferBatch', 8_000],
  ['Minted', 4_000],
  ['MintedBatch', 2_000],
  ['OwnershipTransferred', 85],
]

/** A random whole number below `limit`. */
export type Below = (limit: number) => number

export function createBelow(seed: number): Below {
  const random = xoroshiro128plus(seed)
  return limit => uniformInt(random, 0, limit - 1)
}

export const kindOf = (below: Below): EventKind => chooseByShare(KIND_SHARES, below(100_000))

/** Chooses a name by a random number `dice`, which must be below the sum of all shares. */
export function chooseByShare<Name>(shares: readonly [Name, number][], dice: number): Name {
  let left = dice
  for (const [name, share] of shares) {
    if (left < share) return name
    left -= share
  }
  throw new RangeError('The dice must be below the sum of the shares')
}

export const address = (kind: 'wallet' | 'token', rank: number) =>
  `0x${kind === 'wallet' ? 'aa' : 'cc'}${rank.toString(16).padStart(38, '0')}`

/**
 * A random rank of at least 1 and below `limit`, by a power law. Half of the ranks are below the square root of
 * `limit`.
 */
export const rank = (below: Below, limit: number) => Math.floor(limit ** (below(1_000_000) / 1_000_000))

export interface Log {
  network: BenchNetwork
  blockNumber: number
  seconds: number
  logIndex: number
  transaction: number
}

export interface Parts {
  event: EventKind
  address: string
  /** The acting user: the operator, creator, owner or previous owner. */
  first: string
}

export interface Draws {
  below: Below
  wallet: () => string
  token: () => string
  tokenId: () => string
}

export function makeBenchEvent(log: Log, { event, address, first }: Parts, draws: Draws): EventRecord {
  const { network, blockNumber, seconds, logIndex } = log
  const common = {
    network,
    address,
    blockNumber,
    blockHash: hashOf(log, 0),
    transactionHash: hashOf(log, 1 + log.transaction),
    logIndex,
    createdAt: new Date(seconds * 1000).toISOString(),
  }
  return { id: recordId(common), ...ownFields(event, first, draws), ...common } as EventRecord
}

const hashOf = ({ network, blockNumber }: Log, salt: number) =>
  `0x${[BENCH_NETWORKS.indexOf(network), blockNumber, salt].map(part => part.toString(16).padStart(16, '0')).join('')}${'0'.repeat(16)}`

function ownFields(event: EventKind, first: string, { below, wallet, token, tokenId }: Draws): object {
  const ids = (count: number) => Array.from({ length: count }, tokenId)
  const quantities = (count: number) => Array.from({ length: count }, () => String(below(10_000)))
  const batch = 2 + below(8)
  switch (event) {
    case 'Minted':
      return {
        event,
        creator: first,
        initialOwner: wallet(),
        bucketHash: 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG',
        tokenId: tokenId(),
        quantity: String(1 + below(100)),
      }
    case 'MintedBatch':
      return { event, token: token(), owner: first, tokenIds: ids(batch), quantities: quantities(batch) }
    case 'OwnershipTransferred':
      return { event, previousOwner: first, newOwner: wallet() }
    default: {
      const count = event === 'TransferSingle' ? 1 : batch
      return {
        event,
        operator: first,
        from: below(3) === 0 ? first : wallet(),
        to: wallet(),
        tokenIds: ids(count),
        quantities: quantities(count),
      }
    }
  }
}
