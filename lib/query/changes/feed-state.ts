import type { Network } from '../../events/networks.ts'
import { BEGINNING, compareByTime, type Place } from '../../events/place.ts'

export type Places = Partial<Record<Network, Place>>

/** How far one reader of the feed has come. */
export interface FeedState {
  /** By network, the place up to which its events are known; all of them are to come where there is none. */
  places: Places
  /** The number of the last entry of the log of rewinds that is known. */
  seen: number
  /** Of the entry behind it, how many removed events that are asked for have been reported. */
  reported: number
  /** Loads that may still be adding events. */
  loads: readonly OpenLoad[]
  /** Whether the log is still read for the first time: old entries that are gone are then none that were missed. */
  isNew: boolean
}

/** A load that has announced itself, and neither ended nor been quiet for long enough to be taken for dead. */
export interface OpenLoad {
  id: string
  /** Where to go back to when it has died. */
  places: Places
  /** When it is dead if it says no more, in milliseconds by the clock of whoever answers. */
  until: number
}

export const placeIn = (places: Places, network: Network): Place => places[network] ?? BEGINNING

/** By network, the place that comes first in one of both; of a network that only the second has, none. */
export const goBack = (places: Places, back: Places): Places =>
  Object.fromEntries(
    entriesOf(places).map(([network, place]) => [network, earlier(place, back[network] ?? place)]),
  )

/** By network, the place that comes first in either. */
export const earliest = (one: Places, other: Places): Places => ({
  ...goBack(one, other),
  ...Object.fromEntries(entriesOf(other).filter(([network]) => one[network] === undefined)),
})

const earlier = (a: Place, b: Place): Place => (compareByTime(a, b) <= 0 ? a : b)

const entriesOf = (places: Places) => Object.entries(places) as [Network, Place][]
