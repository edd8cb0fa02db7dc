import { isDeepStrictEqual } from 'node:util'
import { beforeDeadline } from '../before-deadline.ts'
import { type Budget, DEFAULT_LIMITS } from '../budget.ts'
import { StoreUnavailableError } from '../errors.ts'
import type { CallOptions, EventStore } from '../event-store.ts'
import type { IndexedThrough } from '../indexed-through.ts'
import { costCounter, countCosts, noCost, type RequestCost } from '../request-cost.ts'
import { buryLoads } from './apply-rewinds.ts'
import type { Change } from './change.ts'
import type { ChangeStore } from './change-store.ts'
import { encodeFeedCursor } from './feed-cursor.ts'
import { hasReadResting, holdBack } from './hold-back.ts'
import type { ParsedChanges } from './parse-changes.ts'
import { readLog } from './read-log.ts'
import { readNetworks } from './read-networks.ts'
import { startAtBeginning, startNow } from './start-feed.ts'
import type { Turn, TurnContext } from './turn.ts'

export interface ChangesAnswer {
  /** In the order in which they are to be applied. */
  changes: Change[]
  /** The cursor of the next turn. */
  next: string
  /** The budget ended the reading before the answer was full, or all was read. */
  isPartial: boolean
  /** Whether there was nothing to tell, and nothing is left. */
  isUpToDate: boolean
  /** How far networks are indexed, where that was read. */
  indexed: readonly IndexedThrough[]
  cost: RequestCost
}

export interface AnswerChangesOptions {
  store: EventStore
  changeStore: ChangeStore
  /** Milliseconds until the changes must be there; without one there is no hurry. */
  timeLeftMs?: () => number
  limits?: Omit<Budget, 'timeLeftMs'>
  /** In milliseconds. */
  now?: () => number
}

/**
 * Answers one turn of a reader of the feed: first what the log of rewinds tells, then how far events are settled, and
 * then the events up to there. Throws `CursorExpiredError`, `StoreUnavailableError`, `CorruptRowError`.
 */
export async function answerChanges(
  parsed: ParsedChanges,
  { store, changeStore, ...options }: AnswerChangesOptions,
): Promise<ChangesAnswer> {
  const { timeLeftMs = () => Number.POSITIVE_INFINITY, limits = DEFAULT_LIMITS, now = Date.now } = options
  return beforeDeadline(timeLeftMs(), async abortSignal => {
    const cost = noCost()
    const turn = await takeTurn(parsed, {
      store: countCosts(store, { cost, abortSignal }),
      changeStore: countChangeCosts(changeStore, { cost, abortSignal }),
      budget: { ...limits, timeLeftMs },
      cost,
      now: now(),
    })
    const { changes, state, isPartial, indexed = [] } = turn
    const next = encodeFeedCursor(state, parsed.scopeKey)
    return { changes, next, isPartial, isUpToDate: changes.length === 0 && !isPartial, indexed, cost }
  })
}

/** The order of the readings is what makes a turn safe, whatever is written meanwhile. */
async function takeTurn({ scope, limit, start }: ParsedChanges, context: TurnContext): Promise<Turn> {
  const asked = { scope, now: context.now }
  if (start === 'now') {
    return { changes: [], state: await startNow(asked, context), isPartial: false }
  }
  const state = start === 'beginning' ? startAtBeginning(scope) : start
  const logged = await readLog(state, { ...asked, ...context, limit })
  if (!logged.isWhole) return logged
  const { changeStore, now } = context
  const before = await changeStore.readFrontiers()
  const { frontiers, indexed } = before
  const { changes } = logged
  const known = buryLoads(logged.state, now)
  const added = await readNetworks(known, { ...context, scope, frontiers, limit: limit - changes.length })
  const { places } = added.state
  const isDoubtful = hasReadResting(known.places, places, before)
  const held = isDoubtful ? holdBack(places, before, await changeStore.readFrontiers()) : places
  const turn = {
    ...added,
    state: { ...added.state, places: held },
    changes: [...changes, ...added.changes],
    indexed,
  }
  // The same cursor once more would lead its reader in a circle.
  if (turn.isPartial && turn.changes.length === 0 && isDeepStrictEqual(turn.state, start)) {
    throw new StoreUnavailableError(new Error('The budget was used up before the turn began'))
  }
  return turn
}

const countChangeCosts = (
  store: ChangeStore,
  { cost, ...options }: CallOptions & { cost: RequestCost },
): ChangeStore => {
  const enter = costCounter(cost)
  return {
    readRewinds: range => enter(store.readRewinds(range, options)),
    readNewestRewinds: range => enter(store.readNewestRewinds(range, options)),
    readFrontiers: () => enter(store.readFrontiers(options)),
  }
}
