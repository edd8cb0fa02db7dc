import type { Network } from '../events/networks.ts'
import { networkOf, type Place } from '../events/place.ts'

/**
 * The position up to which an answer is complete, and from which a later request can continue.
 * - `place`: complete up to and including this place, in the order of the answer.
 * - `second`: complete up to the run of equal timestamps that contains this place. No row of the run is in the answer
 *   yet. The run will be read in the direction `ties` (see `Order`).
 * - `run`: complete up to this place, which is within a run of equal timestamps. The rest of the run will be read in
 *   the direction `ties`.
 * - `networks`: for a merge by block number. Each network is complete up to its place in `places`. `end` means that the
 *   whole network is complete; only a page with `minBlock` reads it again. Unread networks are omitted. `last` is the
 *   answer's last place so far. Rows that a lagging network adds before `last` are dropped.
 */
export type Position =
  | { at: 'place'; place: Place }
  | { at: 'second'; place: Place }
  | { at: 'run'; place: Place }
  | { at: 'networks'; places: Partial<Record<Network, Place | 'end'>>; last?: Place }

/**
 * Converts a position into one place in the whole answer. Returns undefined if no row has been taken yet. Queries for a
 * block or transaction need this conversion, because their plan is no longer a merge once the indexes have caught up.
 */
export const asPlace = (position: Position | undefined): Extract<Position, { at: 'place' }> | undefined => {
  if (position?.at === 'networks')
    return position.last === undefined ? undefined : { at: 'place', place: position.last }
  return position?.at === 'place' ? position : undefined
}

/**
 * A single place says where to continue only in its own network, because the merged answer is in the order of places
 * only within each network. The merge reads every other network from its beginning, and drops the rows up to the place.
 */
export const asNetworks = (
  position: Position | undefined,
): Extract<Position, { at: 'networks' }> | undefined => {
  if (position?.at === 'networks') return position
  if (!position) return undefined
  const { place } = position
  const network = networkOf(place)
  return { at: 'networks', places: network ? { [network]: place } : {}, last: place }
}
