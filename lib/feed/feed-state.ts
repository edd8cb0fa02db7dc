import type { Network } from '../events/networks.ts'
import { BEGINNING, compareByTime, type Place } from '../events/place.ts'
import type { FrontierPage } from './change-store.ts'

export type Places = Partial<Record<Network, Place>>

/** The progress of one reader of the feed. */
export interface FeedState {
  /**
   * For each network, the place up to which the reader has received the events. A network without a place is read from
   * its beginning.
   */
  places: Places
  /** The number of the last log entry whose removals were all sent to the reader. */
  seen: number
  /**
   * The time of that entry, in Unix seconds. If the log's entry has another time, the log belongs to another table,
   * which was created under the same name or restored from a backup. Undefined in cursors of earlier versions.
   */
  seenAt?: number | undefined
  /**
   * The number of removals of the next log entry that were already sent, counting only events in the reader's scope.
   */
  reported: number
  /** Loads that may still be adding events. */
  loads: readonly OpenLoad[]
  /**
   * True until the reader first reaches the end of the log. Until then, the reader does not need entries that have
   * expired.
   */
  isNew: boolean
}

/**
 * A load that may still be running, because it has not announced its end, and its last announcement is recent enough.
 */
export interface OpenLoad {
  id: string
  /** For each network, the place to which the reader goes back if the load dies. */
  places: Places
  /**
   * Without a further announcement, the load counts as dead from this time on. In milliseconds, by the function's
   * clock.
   */
  until: number
}

export const placeIn = (places: Places, network: Network): Place => places[network] ?? BEGINNING

/**
 * Returns, for each network of `places`, the earlier of its places in `places` and `back`. Networks that only `back`
 * contains are left out.
 */
export const goBack = (places: Places, back: Places): Places =>
  Object.fromEntries(
    entriesOf(places).map(([network, place]) => [network, earlier(place, back[network] ?? place)]),
  )

/**
 * Returns the earlier of the two places for each network. If only one argument contains a network, the result has that
 * argument's place.
 */
export const earliest = (one: Places, other: Places): Places => ({
  ...goBack(one, other),
  ...Object.fromEntries(entriesOf(other).filter(([network]) => one[network] === undefined)),
})

const earlier = (a: Place, b: Place): Place => (compareByTime(a, b) <= 0 ? a : b)

const entriesOf = (places: Places) => Object.entries(places) as [Network, Place][]

/**
 * Moves a reader back on each network on which an indexer started during the read. The reader has read this network to
 * its last event, because no indexer was running when the read began. Since the new indexer may have stored a later
 * event before an earlier one, the reader returns to the place where the indexer started, and reads the events after
 * this place again.
 */
export function holdBack(places: Places, before: FrontierPage, now: FrontierPage): Places {
  const disturbed = [...before.resting].filter(
    ([network, { fence }]) => now.resting.get(network)?.fence !== fence,
  )
  return goBack(
    places,
    Object.fromEntries(disturbed.map(([network, { place }]): [Network, Place] => [network, place])),
  )
}

/**
 * Whether the reader's place has changed on any network without a running indexer, so that the frontiers must be read
 * again.
 */
export const hasReadResting = (before: Places, after: Places, { resting }: FrontierPage): boolean =>
  [...resting.keys()].some(network => before[network] !== after[network])
