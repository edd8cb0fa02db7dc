import type { EventRecord } from '../../../lib/events/record.ts'
import {
  address,
  BENCH_NETWORKS,
  type BenchNetwork,
  createBelow,
  kindOf,
  makeBenchEvent,
  rank,
} from '../cost/make-bench-event.ts'

export const SEED = 20_261_122

/** Acts in every fifth event: 200,000 of a million. */
export const BUSY_WALLET = address('wallet', 0)
/** The contract of every fifth event, and of every fifth of the busy wallet's. */
export const BUSY_TOKEN = address('token', 0)
/** Acts in more than a seventh of all events, none of which is the busy token's. */
export const STRANGER = address('wallet', 1)

/** Which of 25 events in a row are whose; in one of them busy wallet and busy token meet. */
const PATTERN = 25
const WALLET_TURNS = [0, 5, 10, 15, 20]
const TOKEN_TURNS = [0, 6, 12, 18, 24]
const STRANGER_TURNS = [1, 8, 13, 21]

/** Blocks in a hundred that are of each network: as uneven as real chains. */
const NETWORK_SHARES: Record<BenchNetwork, number> = {
  polygon: 46,
  base: 27,
  arbitrum: 12,
  'bnb-chain': 11,
  ethereum: 4,
}
/** Block numbers fall from here, each network by other steps; all of them can be asked for by number. */
const HIGHEST_BLOCK = 99_000_000
const BLOCK_STEP = 40
const HIGHEST_SECONDS = 1_780_000_000
/** Seconds between two blocks with events, on whichever network, about. */
const BLOCK_GAP = 60

/** Others than those above. */
const WALLETS = 20_000
const TOKENS = 2_000
/** So few that each has a page of events in the smallest table. */
const BUSY_TOKEN_IDS = 20
const TOKEN_IDS = 2_000

/**
 * So many events, the newest first, always the same: a longer history has the same newest events, and more behind them.
 */
export function* generateHistory(events: number): Generator<EventRecord> {
  let left = events
  for (const record of endlessHistory()) {
    if (left-- === 0) return
    yield record
  }
}

function* endlessHistory(): Generator<EventRecord> {
  const below = createBelow(SEED)
  const blockNumbers = Object.fromEntries(
    BENCH_NETWORKS.map((network, index) => [network, HIGHEST_BLOCK - 10_000_000 * index]),
  ) as Record<BenchNetwork, number>
  let seconds = HIGHEST_SECONDS
  let turn = 0
  for (;;) {
    const network = networkOf(below(100))
    blockNumbers[network] -= 1 + below(BLOCK_STEP)
    // Two in a row may share a second.
    seconds -= below(2 * BLOCK_GAP)
    const blockNumber = blockNumbers[network]
    // From its last log back, too, so that a history that ends within a block lacks its first ones.
    for (let logIndex = blockSize(below(1_000)) - 1; logIndex >= 0; logIndex -= 1) {
      yield historyEvent({ network, blockNumber, seconds, logIndex, below, turn: turn++ % PATTERN })
    }
  }
}

function networkOf(dice: number): BenchNetwork {
  let left = dice
  for (const network of BENCH_NETWORKS) {
    if (left < NETWORK_SHARES[network]) return network
    left -= NETWORK_SHARES[network]
  }
  return 'polygon'
}

/** Most blocks hold an event or two, some twenty, a few two hundred. */
function blockSize(dice: number): number {
  if (dice === 0) return 200
  return dice < 20 ? 20 : 1 + (dice % 3)
}

interface Turn {
  network: BenchNetwork
  blockNumber: number
  seconds: number
  logIndex: number
  below: ReturnType<typeof createBelow>
  /** Its place in the pattern. */
  turn: number
}

function historyEvent({ below, turn, ...log }: Turn): EventRecord {
  const isBusyToken = TOKEN_TURNS.includes(turn)
  const ids = isBusyToken ? BUSY_TOKEN_IDS : TOKEN_IDS
  // The two lowest ranks are the busy wallet's and the stranger's.
  const wallet = () => address('wallet', 1 + rank(below, WALLETS))
  const token = () => address('token', rank(below, TOKENS))
  const first = WALLET_TURNS.includes(turn)
    ? BUSY_WALLET
    : STRANGER_TURNS.includes(turn)
      ? STRANGER
      : wallet()
  return makeBenchEvent(
    { ...log, transaction: Math.floor(log.logIndex / 3) },
    { event: kindOf(below), address: isBusyToken ? BUSY_TOKEN : token(), first },
    { below, wallet, token, tokenId: () => String(below(ids)) },
  )
}
