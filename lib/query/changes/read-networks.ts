import type { Network } from '../../events/networks.ts'
import { compareByTime } from '../../events/place.ts'
import { hasBudget } from '../budget.ts'
import type { Change, ChangeScope } from './change.ts'
import type { Frontiers } from './change-store.ts'
import { type FeedState, placeIn } from './feed-state.ts'
import { readAdditions } from './read-additions.ts'
import type { Turn, TurnContext } from './turn.ts'

/** The largest record that is stored; the first of a network is read, however large. */
const LARGEST_RECORD_BYTES = 4_000_000
/** What reading on in one network may take until it has come any further. */
const ROUND_TRIPS_OF_NETWORK = 6

interface NetworksContext extends TurnContext {
  scope: ChangeScope
  frontiers: Frontiers
  limit: number
}

/** Reads on in one network after the other, the one that lags most first, so that none waits for another for ever. */
export async function readNetworks(before: FeedState, context: NetworksContext): Promise<Turn> {
  const { scope, frontiers, limit, store, budget, cost } = context
  const changes: Change[] = []
  let state = before
  let bytes = 0
  for (const network of networksToRead(before, context)) {
    if (changes.length === limit) break
    const isEnough =
      hasBudget({ ...budget, roundTrips: budget.roundTrips - ROUND_TRIPS_OF_NETWORK }, cost) &&
      bytes + LARGEST_RECORD_BYTES <= budget.bodyBytes
    if (!isEnough) return { changes, state, isPartial: true }
    const after = placeIn(state.places, network)
    const { records, place, isEnd } = await readAdditions(
      { network, scope, after, frontier: frontiers.get(network), limit: limit - changes.length },
      { store, budget: { ...budget, bodyBytes: budget.bodyBytes - bytes }, cost },
    )
    for (const record of records) changes.push({ change: 'added', record })
    bytes += cost.bytes
    cost.bytes = bytes
    state = { ...state, places: { ...state.places, [network]: place } }
    if (!isEnd && changes.length < limit) return { changes, state, isPartial: true }
  }
  return { changes, state, isPartial: false }
}

/** Those that may have events which are not known. */
const networksToRead = ({ places }: FeedState, { scope, frontiers }: NetworksContext): Network[] =>
  scope.networks
    .filter(network => {
      const frontier = frontiers.get(network)
      return frontier === undefined || compareByTime(placeIn(places, network), frontier) < 0
    })
    .toSorted((a, b) => compareByTime(placeIn(places, a), placeIn(places, b)))
