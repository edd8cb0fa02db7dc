import { LOAD_ANNOUNCED_MS, type RemovedEvent } from '../../events/rewind.ts'
import type { Change, ChangeScope } from './change.ts'
import type { NumberedRewind } from './change-store.ts'
import { CursorExpiredError } from './cursor-expired-error.ts'
import { earliest, type FeedState, goBack, type OpenLoad } from './feed-state.ts'

export interface AppliedRewinds {
  changes: Change[]
  state: FeedState
  /** Whether all entries were applied; otherwise there are more changes than were wanted. */
  isWhole: boolean
}

interface Applying {
  scope: ChangeScope
  /** At most so many changes. */
  limit: number
  /** In milliseconds. */
  now: number
}

/**
 * What entries of the log mean to a reader of the feed: each removed event that is asked for is reported, however far
 * the reader has come, for what is applied already may have been read by an earlier cursor's holder; and the reader goes
 * back. Throws `CursorExpiredError` where entries are missing before the first.
 */
export function applyRewinds(
  before: FeedState,
  rewinds: readonly NumberedRewind[],
  { scope, limit, now }: Applying,
): AppliedRewinds {
  const changes: Change[] = []
  let state = before
  for (const rewind of rewinds) {
    const isNext = rewind.number === state.seen + 1
    if (!isNext && !state.isNew) throw new CursorExpiredError()
    const removed = rewind.removed.filter(event => isAskedFor(event, scope))
    const from = isNext ? state.reported : 0
    const upTo = Math.min(removed.length, from + limit - changes.length)
    changes.push(...removed.slice(from, upTo).map(removal))
    if (upTo < removed.length) {
      state = { ...state, seen: rewind.number - 1, reported: upTo }
      return { changes, state, isWhole: false }
    }
    state = stateAfter(state, rewind, now)
  }
  return { changes, state, isWhole: true }
}

function stateAfter(state: FeedState, rewind: NumberedRewind, now: number): FeedState {
  const { places, loads } = state
  const isAtWork = rewind.load?.hasEnded === false && !isSurelyDead(rewind, now)
  return {
    ...state,
    seen: rewind.number,
    reported: 0,
    // While a load is at work its events may be read in vain; what counts is that they are read behind it.
    places: isAtWork ? places : goBack(places, rewind.places),
    loads: isAtWork || rewind.load?.hasEnded ? loadsAfter(loads, rewind, now) : loads,
  }
}

/** A load that has announced itself so long ago, and no more since, is dead by any clock that is not altogether wrong. */
const SURELY_DEAD_MS = 4 * LOAD_ANNOUNCED_MS

export const isSurelyDead = ({ at }: NumberedRewind, now: number) => now - 1000 * at > SURELY_DEAD_MS

/** Goes back where a load has died: what it has stored until then is there to be read by now. */
export function buryLoads(state: FeedState, now: number): FeedState {
  const [alive, dead] = [
    state.loads.filter(({ until }) => until > now),
    state.loads.filter(({ until }) => until <= now),
  ]
  return {
    ...state,
    loads: alive,
    places: dead.reduce((places, load) => goBack(places, load.places), state.places),
  }
}

/** The loads that may still be adding events, after an entry of one of them. */
export function loadsAfter(
  loads: readonly OpenLoad[],
  { load, places }: NumberedRewind,
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

/** A cursor has to fit into an address. */
const MOST_OPEN_LOADS = 8
/** No load has this name, so the end of none of several is taken for that of all. */
const SEVERAL = 'several'

/** The oldest as one, which ends when none of them has been heard of for long enough. */
function folded(loads: readonly OpenLoad[]): readonly OpenLoad[] {
  const [first, second, ...others] = loads
  if (!first || !second || loads.length <= MOST_OPEN_LOADS) return loads
  const [places, until] = [earliest(first.places, second.places), Math.max(first.until, second.until)]
  return [{ id: SEVERAL, places, until }, ...others]
}

/**
 * Entries do not name the users of an event, so a reader who asks for a user is told of all users' removals: a deletion
 * that finds nothing does no harm.
 */
function isAskedFor({ network, event, address }: RemovedEvent, { networks, filters }: ChangeScope): boolean {
  if (filters === 'unmatchable' || !networks.includes(network)) return false
  return (filters.event?.includes(event) ?? true) && (filters.address?.includes(address) ?? true)
}

const removal = ({ id, network, blockNumber, blockHash }: RemovedEvent): Change => ({
  change: 'removed',
  record: { id, network, blockNumber, blockHash },
})
