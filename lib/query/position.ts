import type { Network } from '../events/networks.ts'
import type { Place } from '../events/place.ts'
import type { Plan } from './plan-query.ts'

/**
 * Up to where an answer is complete, so that another request can go on from there.
 * - `place`: up to and including this place, in the order of the answer.
 * - `second`: everything before the run of equal timestamps that this place is in, which is read the
 *   other way round and has not been begun.
 * - `run`: within such a run up to this place in its own direction.
 * - `networks`: for a merge by block number, up to this place of each network (`end`: all of it);
 *   networks that are left out have not been begun. `last` is where the answer itself stands: what a
 *   network that lags adds before it meanwhile is not looked at any more.
 */
export type Position =
  | { at: 'place'; place: Place }
  | { at: 'second'; place: Place }
  | { at: 'run'; place: Place }
  | { at: 'networks'; places: Partial<Record<Network, Place | 'end'>>; last?: Place }

/**
 * The same position for a reader that knows only how far the whole answer is: undefined where nothing of it was taken.
 * A block's or a transaction's events are merged by network, or read as runs, by what an index may lack meanwhile.
 */
export const asPlace = (position: Position | undefined): Extract<Position, { at: 'place' }> | undefined => {
  if (position?.at === 'networks')
    return position.last === undefined ? undefined : { at: 'place', place: position.last }
  return position?.at === 'place' ? position : undefined
}

/** The same position for a merge by block number, which reads each network from its beginning and leaves out what was taken. */
export const asNetworks = (
  position: Position | undefined,
): Extract<Position, { at: 'networks' }> | undefined => {
  if (position?.at === 'networks') return position
  return position && { at: 'networks', places: {}, last: position.place }
}

/** Whether a position is one that reading by this plan, or by another plan of the same query, can stop at. */
export function fitsPlan(position: Position, plan: Plan): boolean {
  switch (position.at) {
    case 'networks':
      return (plan.read === 'merge' && plan.by === 'block') || plan.read === 'block-runs'
    case 'second':
    case 'run':
      return plan.read === 'ties-reversed'
    case 'place':
      return plan.read !== 'nothing' && !(plan.read === 'merge' && plan.by === 'block')
  }
}
