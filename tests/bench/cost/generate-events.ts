import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import type { EventKind } from '../../../lib/events/event-kinds.ts'
import type { Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { recordId } from '../../../lib/events/record-id.ts'

export const SEED = 20_261_121

/** A list of its own: with other networks the events would be others, and no measurement comparable. */
const BENCH_NETWORKS = ['arbitrum', 'base', 'bnb-chain', 'ethereum', 'polygon'] as const satisfies Network[]

type BenchNetwork = (typeof BENCH_NETWORKS)[number]

/** Events of each network: as uneven as real chains. */
const NETWORK_SIZES: Record<BenchNetwork, number> = {
  polygon: 52_000,
  base: 30_000,
  arbitrum: 14_000,
  'bnb-chain': 12_000,
  ethereum: 4_000,
}
/** Seconds between blocks that hold events, about. */
const BLOCK_GAPS: Record<BenchNetwork, number> = {
  polygon: 900,
  base: 1_500,
  arbitrum: 2_500,
  'bnb-chain': 4_000,
  ethereum: 12_000,
}
const START_SECONDS = 1_640_995_200
/** An airdrop: so many events of the busy wallet and the busy token within one second of arbitrum. */
export const CROWD = {
  network: 'arbitrum',
  blocks: 4,
  eventsPerBlock: 2_500,
  seconds: 1_645_000_000,
} as const

const WALLETS = 20_000
const TOKENS = 2_000
/** How many in 100,000 events are of each kind; an ownership transfer is a thousand times rarer than a transfer. */
const KIND_SHARES: [EventKind, number][] = [
  ['TransferSingle', 85_915],
  ['TransferBatch', 8_000],
  ['Minted', 4_000],
  ['MintedBatch', 2_000],
  ['OwnershipTransferred', 85],
]

export const address = (kind: 'wallet' | 'token', rank: number) =>
  `0x${kind === 'wallet' ? 'aa' : 'cc'}${rank.toString(16).padStart(38, '0')}`
/** In nearly half of all events. */
export const BUSY_WALLET = address('wallet', 0)
/** The contract of nearly half of all events. */
export const BUSY_TOKEN = address('token', 0)

/**
 * At least 100,000 events, always the same: wallets and tokens follow a power law, one of each has some
 * 50,000 events, networks differ in size and rate, and many events share a second or a block.
 */
export function* generateEvents(): Generator<EventRecord> {
  const random = xoroshiro128plus(SEED)
  const below = (limit: number) => uniformInt(random, 0, limit - 1)
  for (const network of BENCH_NETWORKS) yield* networkEvents(network, below)
}

type Below = (limit: number) => number

function* networkEvents(network: BenchNetwork, below: Below): Generator<EventRecord> {
  let seconds = START_SECONDS + below(BLOCK_GAPS[network])
  let blockNumber = 1_000_000 + 10_000 * BENCH_NETWORKS.indexOf(network)
  let left = NETWORK_SIZES[network]
  let crowdIsDue = network === CROWD.network
  while (left > 0) {
    if (crowdIsDue && seconds >= CROWD.seconds) {
      for (let block = 0; block < CROWD.blocks; block += 1) {
        blockNumber += 1
        yield* blockEvents(
          { network, blockNumber, seconds: CROWD.seconds, events: CROWD.eventsPerBlock, isCrowd: true },
          below,
        )
      }
      crowdIsDue = false
      continue
    }
    const events = Math.min(left, blockSize(below))
    yield* blockEvents({ network, blockNumber, seconds, events, isCrowd: false }, below)
    left -= events
    blockNumber += 1 + below(BLOCK_GAPS[network] / 2)
    seconds += 1 + below(2 * BLOCK_GAPS[network])
  }
}

/** Most blocks hold an event or two, some a hundred, a few a thousand. */
function blockSize(below: Below): number {
  const dice = below(2_000)
  if (dice === 0) return 1_000
  return dice < 20 ? 100 : 1 + below(3)
}

interface Block {
  network: BenchNetwork
  blockNumber: number
  seconds: number
  events: number
  isCrowd: boolean
}

function* blockEvents(block: Block, below: Below): Generator<EventRecord> {
  const { network, blockNumber, seconds } = block
  const hash = (salt: number) =>
    `0x${[BENCH_NETWORKS.indexOf(network), blockNumber, salt].map(part => part.toString(16).padStart(16, '0')).join('')}${'0'.repeat(16)}`
  for (let logIndex = 0; logIndex < block.events; logIndex += 1) {
    const common = {
      network,
      address: block.isCrowd ? BUSY_TOKEN : token(below),
      blockNumber,
      blockHash: hash(0),
      // Some transactions emit several events.
      transactionHash: hash(1 + (block.isCrowd ? Math.floor(logIndex / 500) : Math.floor(logIndex / 3))),
      logIndex,
      createdAt: new Date(seconds * 1000).toISOString(),
    }
    const kind = block.isCrowd ? 'TransferSingle' : kindOf(below)
    const operator = block.isCrowd ? BUSY_WALLET : wallet(below)
    yield { id: recordId(common), ...ownFields(kind, operator, below), ...common } as EventRecord
  }
}

function ownFields(event: EventKind, first: string, below: Below): object {
  const ids = (count: number) => Array.from({ length: count }, () => String(below(10_000)))
  const batch = 2 + below(8)
  switch (event) {
    case 'Minted':
      return {
        event,
        creator: first,
        initialOwner: wallet(below),
        bucketHash: 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG',
        tokenId: String(below(10_000)),
        quantity: String(1 + below(100)),
      }
    case 'MintedBatch':
      return { event, token: token(below), owner: first, tokenIds: ids(batch), quantities: ids(batch) }
    case 'OwnershipTransferred':
      return { event, previousOwner: first, newOwner: wallet(below) }
    default: {
      const count = event === 'TransferSingle' ? 1 : batch
      return {
        event,
        operator: first,
        from: below(3) === 0 ? first : wallet(below),
        to: wallet(below),
        tokenIds: ids(count),
        quantities: ids(count),
      }
    }
  }
}

function kindOf(below: Below): EventKind {
  let dice = below(100_000)
  for (const [kind, share] of KIND_SHARES) {
    if (dice < share) return kind
    dice -= share
  }
  return 'TransferSingle'
}

const wallet = (below: Below) => address('wallet', below(100) < 23 ? 0 : rank(below, WALLETS))
const token = (below: Below) => address('token', below(100) < 46 ? 0 : rank(below, TOKENS))

/** A rank from a power law: about as often below the square root of the limit as above it. */
const rank = (below: Below, limit: number) => Math.floor(limit ** (below(1_000_000) / 1_000_000))
