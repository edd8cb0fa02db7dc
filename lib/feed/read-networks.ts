import type { Network } from '../events/networks.ts'
import { compareByTime } from '../events/place.ts'
import { MAX_RECORD_BYTES } from '../events/record-fields.ts'
import { hasBudget } from '../query/budget.ts'
import type { Frontiers } from './change-store.ts'
import { type FeedState, placeIn } from './feed-state.ts'
import { readAdditions } from './read-additions.ts'
import { readFrontier } from './read-frontiers.ts'
import type { Change, ChangeScope, Turn, TurnContext } from './turn.ts'

/** Advancing the reader's place on one network takes at most this many round trips. */
const ROUND_TRIPS_OF_NETWORK = 7

interface NetworksContext extends TurnContext {
  scope: ChangeScope
  frontiers: Frontiers
  limit: number
}

/** Starts with the network whose place is earliest, so that no network waits forever. */
export async function readNetworks(before: FeedState, context: NetworksContext): Promise<Turn> {
  const { scope, frontiers, limit, store, budget, cost } = context
  const changes: Change[] = []
  let state = before
  let bytes = 0
  for (const network of networksToRead(before, context)) {
    if (changes.length === limit) break
    const isEnough =
      hasBudget({ ...budget, roundTrips: budget.roundTrips - ROUND_TRIPS_OF_NETWORK }, cost) &&
      // Each read may return a record of the maximum size, so the body must have room for such a record.
      bytes + MAX_RECORD_BYTES <= budget.bodyBytes
    if (!isEnough) return { changes, state, isPartial: true }
    const after = placeIn(state.places, network)
    const frontier = await readFrontier(network, { store, frontiers })
    // If the network has no new event, the lists of the scope need not be read.
    if (compareByTime(frontier, after) <= 0) continue
    const { records, place, isEnd } = await readAdditions(
      { network, scope, after, frontier, limit: limit - changes.length },
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

/** The networks that may have unread events, in ascending order of the reader's places. */
const networksToRead = ({ places }: FeedState, { scope, frontiers }: NetworksContext): Network[] =>
  scope.networks
    .filter(network => {
      const frontier = frontiers.get(network)
      return frontier === undefined || compareByTime(placeIn(places, network), frontier) < 0
    })
    .toSorted((a, b) => compareByTime(placeIn(places, a), placeIn(places, b)))
