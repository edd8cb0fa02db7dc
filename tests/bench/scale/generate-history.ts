import type { EventRecord } from '../../../lib/events/record.ts'
import {
  address,
  BENCH_NETWORKS,
  type BenchNetwork,
  chooseByShare,
  createBelow,
  kindOf,
  makeBenchEvent,
  rank,
} from '../cost/make-bench-event.ts'

export const SEED = 20_261_122

/** A wallet that takes part in every fifth event, 200,000 of a million. */
export const BUSY_WALLET = address('wallet', 0)
/** The contract that emits every fifth event of the history, and every fifth event of the busy wallet. */
export const BUSY_TOKEN = address('token', 0)
/** A wallet that takes part in more than a seventh of all events, but in no event of the busy token. */
export const STRANGER = address('wallet', 1)

/**
 * The events repeat a pattern of this length. The lists below contain the positions of each address in the pattern. The
 * busy wallet and the busy token meet in one event of the pattern.
 */
const PATTERN = 25
const WALLET_TURNS = [0, 5, 10, 15, 20]
const TOKEN_TURNS = [0, 6, 12, 18, 24]
const STRANGER_TURNS = [1, 8, 13, 21]

/** How many of a hundred blocks belong to each network. The shares are as uneven as on real chains. */
const NETWORK_SHARES: [BenchNetwork, number][] = [
  ['arbitrum', 12],
  ['base', 27],
  ['bnb-chain', 11],
  ['ethereum', 4],
  ['polygon', 46],
]
/** Block numbers decrease from this one by random steps. All are valid values of the filter `blockNumber`. */
const HIGHEST_BLOCK = 99_000_000
const BLOCK_STEP = 40
const HIGHEST_SECONDS = 1_780_000_000
/** Approximate seconds between two blocks with events, on any network. */
const BLOCK_GAP = 60

const WALLETS = 20_000
const TOKENS = 2_000
/** So few ids that even in the smallest table each id has a page of events. */
const BUSY_TOKEN_IDS = 20
const TOKEN_IDS = 2_000

/**
 * Generates this many events, newest first, the same in every run. A longer history starts with the events of a shorter
 * history and adds older events.
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
  // Wallet 0 is the busy wallet and wallet 1 is the stranger. Neither is drawn here, because `rank` is at least 1.
  const wallet = () => address('wallet', 1 + rank(below, WALLETS))
  const token = () => address('token', rank(below, TOKENS))
  const userAt = (turn: number) => {
    if (WALLET_TURNS.includes(turn)) return BUSY_WALLET
    return STRANGER_TURNS.includes(turn) ? STRANGER : wallet()
  }
  let seconds = HIGHEST_SECONDS
  let turn = 0
  for (;;) {
    const network = chooseByShare(NETWORK_SHARES, below(100))
    blockNumbers[network] -= 1 + below(BLOCK_STEP)
    seconds -= below(2 * BLOCK_GAP)
    const block = { network, blockNumber: blockNumbers[network], seconds }
    // Yields a block's last log first, because newer events come first. A history that ends within a block therefore
    // lacks the block's first logs.
    for (let logIndex = blockSize(below(1_000)) - 1; logIndex >= 0; logIndex -= 1) {
      const isBusyToken = TOKEN_TURNS.includes(turn)
      const first = userAt(turn)
      yield makeBenchEvent(
        { ...block, logIndex, transaction: Math.floor(logIndex / 3) },
        { event: kindOf(below), address: isBusyToken ? BUSY_TOKEN : token(), first },
        { below, wallet, token, tokenId: () => String(below(isBusyToken ? BUSY_TOKEN_IDS : TOKEN_IDS)) },
      )
      turn = (turn + 1) % PATTERN
    }
  }
}

/** Most blocks have one to three events, some have twenty, a few have two hundred. */
function blockSize(dice: number): number {
  if (dice === 0) return 200
  return dice < 20 ? 20 : 1 + (dice % 3)
}
