import type { EventRecord } from '../../../lib/events/record.ts'
import {
  address,
  BENCH_NETWORKS,
  type Below,
  type BenchNetwork,
  createBelow,
  type Draws,
  kindOf,
  type Log,
  makeBenchEvent,
  rank,
} from './make-bench-event.ts'

export const SEED = 20_261_121

/** The events are spread as unevenly over the networks as on real chains. */
const NETWORK_SIZES: Record<BenchNetwork, number> = {
  polygon: 52_000,
  base: 30_000,
  arbitrum: 14_000,
  'bnb-chain': 12_000,
  ethereum: 4_000,
}
/** Approximate seconds between two blocks with events. */
const BLOCK_GAPS: Record<BenchNetwork, number> = {
  polygon: 900,
  base: 1_500,
  arbitrum: 2_500,
  'bnb-chain': 4_000,
  ethereum: 12_000,
}
const START_SECONDS = 1_640_995_200
/** An airdrop on arbitrum: ten thousand events of the busy wallet and the busy token within one second. */
export const CROWD = {
  network: 'arbitrum',
  blocks: 4,
  eventsPerBlock: 2_500,
  seconds: 1_645_000_000,
} as const

const WALLETS = 20_000
const TOKENS = 2_000

/** The busy wallet takes part in slightly more than half of all events. */
export const BUSY_WALLET = address('wallet', 0)
/** The contract that emits about half of all events. */
export const BUSY_TOKEN = address('token', 0)

/**
 * Generates 122,000 events, the same in every run. The numbers of events per wallet and per token follow power laws:
 * the busiest wallet and the busiest token have more than 60,000 events each. Networks differ in size and rate, and
 * many events share a second or a block.
 */
export function* generateEvents(): Generator<EventRecord> {
  const below = createBelow(SEED)
  const draws = {
    below,
    wallet: () => address('wallet', below(100) < 23 ? 0 : rank(below, WALLETS)),
    token: () => address('token', below(100) < 46 ? 0 : rank(below, TOKENS)),
    tokenId: () => String(below(10_000)),
  }
  for (const network of BENCH_NETWORKS) yield* networkEvents(network, draws)
}

function* networkEvents(network: BenchNetwork, draws: Draws): Generator<EventRecord> {
  const { below } = draws
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
          draws,
        )
      }
      crowdIsDue = false
      continue
    }
    const events = Math.min(left, blockSize(below))
    yield* blockEvents({ network, blockNumber, seconds, events, isCrowd: false }, draws)
    left -= events
    blockNumber += 1 + below(BLOCK_GAPS[network] / 2)
    seconds += 1 + below(2 * BLOCK_GAPS[network])
  }
}

/** Most blocks have one to three events, some have a hundred, a few have a thousand. */
function blockSize(below: Below): number {
  const dice = below(2_000)
  if (dice === 0) return 1_000
  return dice < 20 ? 100 : 1 + below(3)
}

interface Block extends Omit<Log, 'logIndex' | 'transaction'> {
  events: number
  isCrowd: boolean
}

function* blockEvents({ events, isCrowd, ...block }: Block, draws: Draws): Generator<EventRecord> {
  for (let logIndex = 0; logIndex < events; logIndex += 1) {
    const transaction = Math.floor(logIndex / (isCrowd ? 500 : 3))
    const parts = {
      address: isCrowd ? BUSY_TOKEN : draws.token(),
      event: isCrowd ? ('TransferSingle' as const) : kindOf(draws.below),
      first: isCrowd ? BUSY_WALLET : draws.wallet(),
    }
    yield makeBenchEvent({ ...block, logIndex, transaction }, parts, draws)
  }
}
