import type { Network } from '../events/networks.ts'
import { BEGINNING, compareByTime, type Place } from '../events/place.ts'
import type { FrontierPage } from './change-store.ts'

export type Places = Partial<Record<Network, Place>>

/** The progress of one reader of the feed, as stored in the reader's cursor. */
export interface FeedState {
  /** The reader has all events up to these places. A network without a place is read from its beginning. */
  places: Places
  /** The reader's table (see `ChangeStore`). Undefined in cursors of earlier versions. */
  table?: string | undefined
  /** The number of the last log entry whose removals have all been sent to the reader. */
  seen: number
  /**
   * The time of the entry `seen`, in Unix seconds. If the entry in the log has another time, the log belongs to another
   * table that was created under the same name. Undefined in cursors of earlier versions.
   */
  seenAt?: number | undefined
  /** How many removals of the next log entry were already sent. Counts only events in the reader's scope. */
  reported: number
  loads: readonly OpenLoad[]
  /** True until the reader first reaches the end of the log. Until then, expired entries are not an error. */
  isNew: boolean
}

/** A load that may still be running: it has not announced its end, and its last announcement is recent enough. */
export interface OpenLoad {
  id: string
  /** For each network, the place to which the reader goes back if the load ends without announcing its end. */
  places: Places
  /** From this time (milliseconds since 1970 by the function's clock), the load is considered dead. */
  until: number
}

export const placeIn = (places: Places, network: Network): Place => places[network] ?? BEGINNING

/** For each network in `places`, returns the earlier of its two places. Omits networks that are only in `back`. */
export const goBack = (places: Places, back: Places): Places =>
  Object.fromEntries(
    entriesOf(places).map(([network, place]) => [network, earlier(place, back[network] ?? place)]),
  )

/** Returns the earlier of each network's two places, or its only place. */
export const earliest = (one: Places, other: Places): Places => ({ ...other, ...goBack(one, other) })

export const earlier = (a: Place, b: Place): Place => (compareByTime(a, b) <= 0 ? a : b)

const entriesOf = (places: Places) => Object.entries(places) as [Network, Place][]

/**
 * Moves a reader back on each network where an indexer started during the read. When the read began, the network had no
 * running indexer, so the reader has read to the network's last event. The new indexer may have stored a later event
 * before an earlier one, so the reader goes back to the place where the indexer started.
 */
export function holdBack(places: Places, before: FrontierPage, now: FrontierPage): Places {
  const disturbed = [...before.resting].filter(
    ([network, { fence }]) => now.resting.get(network)?.fence !== fence,
  )
  return goBack(places, Object.fromEntries(disturbed.map(([network, { place }]) => [network, place])))
}

/** Whether the reader's place changed on a network without a running indexer. If so, the frontiers are read again. */
export const hasReadResting = (before: Places, after: Places, { resting }: FrontierPage): boolean =>
  [...resting.keys()].some(network => before[network] !== after[network])
