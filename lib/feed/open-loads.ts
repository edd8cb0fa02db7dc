import { LOAD_ANNOUNCED_MS, type NumberedRevision } from '../events/revision.ts'
import { earliest, type FeedState, goBack, type OpenLoad } from './feed-state.ts'

/** A load that has announced nothing for this long is dead, even if the clocks differ by several minutes. */
const SURELY_DEAD_MS = 4 * LOAD_ANNOUNCED_MS

export const isSurelyDead = ({ at }: NumberedRevision, now: number) => now - 1000 * at > SURELY_DEAD_MS

/** Moves the reader back to the places of dead loads. A dead load adds no more events, so its events can be read. */
export function buryLoads(state: FeedState, now: number): FeedState {
  const dead = state.loads.filter(({ until }) => until <= now)
  return {
    ...state,
    loads: state.loads.filter(load => !dead.includes(load)),
    places: dead.reduce((places, load) => goBack(places, load.places), state.places),
  }
}

export function loadsAfter(
  loads: readonly OpenLoad[],
  { load, places }: NumberedRevision,
  now: number,
): readonly OpenLoad[] {
  if (!load) return loads
  const others = loads.filter(({ id }) => id !== load.id)
  if (load.hasEnded) return others
  const known = loads.find(({ id }) => id === load.id)
  return folded([
    ...others,
    { id: load.id, places: earliest(places, known?.places ?? {}), until: now + LOAD_ANNOUNCED_MS },
  ])
}

/** The maximum number of loads in a new cursor, which must be short enough for a URL. */
const MOST_OPEN_LOADS = 8
/** The id of a merged load. No real load has this id, so the end of a real load does not end the merged load. */
const SEVERAL = 'several'

/** If there are too many loads, merges the two that were announced longest ago, and keeps their later `until`. */
function folded(loads: readonly OpenLoad[]): readonly OpenLoad[] {
  const [first, second, ...others] = loads
  if (!first || !second || loads.length <= MOST_OPEN_LOADS) return loads
  const [places, until] = [earliest(first.places, second.places), Math.max(first.until, second.until)]
  return [{ id: SEVERAL, places, until }, ...others]
}
