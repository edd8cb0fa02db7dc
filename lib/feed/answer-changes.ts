import { isDeepStrictEqual } from 'node:util'
import type { AnswerOptions } from '../query/answer-query.ts'
import { beforeDeadline } from '../query/before-deadline.ts'
import { DEFAULT_LIMITS } from '../query/budget.ts'
import { CursorExpiredError, StoreUnavailableError } from '../query/errors.ts'
import type { CallOptions } from '../query/event-store.ts'
import type { IndexedThrough } from '../query/indexed-through.ts'
import { costCounter, countCosts, noCost, type RequestCost } from '../query/request-cost.ts'
import type { ChangeStore } from './change-store.ts'
import { encodeFeedCursor } from './feed-cursor.ts'
import { hasReadResting, holdBack } from './feed-state.ts'
import { finalFrontiers } from './final-frontiers.ts'
import { buryLoads } from './open-loads.ts'
import type { ParsedChanges } from './parse-changes.ts'
import { readNetworks } from './read-networks.ts'
import { replayRevisions } from './replay-revisions.ts'
import { startAtBeginning, startNow } from './start-feed.ts'
import type { Change, Turn, TurnContext } from './turn.ts'

export interface ChangesAnswer {
  /** The changes, in the order in which a reader must apply them to its copy. */
  changes: Change[]
  next: string
  /** Whether the page has fewer changes than requested although more may follow, usually because the budget ran out. */
  isPartial: boolean
  /** Whether the page is empty and the feed has no more changes. */
  isUpToDate: boolean
  /** Empty if the checkpoints were not read. */
  indexed: readonly IndexedThrough[]
  cost: RequestCost
}

export interface AnswerChangesOptions extends Pick<AnswerOptions, 'store' | 'timeLeftMs' | 'limits' | 'now'> {
  changeStore: ChangeStore
}

/**
 * Reads the log of revisions first, then the networks' frontiers (see `Frontiers`), and finally the events up to the
 * frontiers. Can throw `CursorExpiredError`, `StoreUnavailableError` or `CorruptRowError`.
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
    const next = encodeFeedCursor({ ...state, table: changeStore.table }, parsed.scopeKey)
    return { changes, next, isPartial, isUpToDate: changes.length === 0 && !isPartial, indexed, cost }
  })
}

/** Reads in an order that keeps every reader's copy correct, even if events are written in the meantime. */
async function takeTurn(parsed: ParsedChanges, context: TurnContext): Promise<Turn> {
  const { scope, limit, start, isFinal } = parsed
  const { changeStore, store, now } = context
  if (start === 'now') return { changes: [], state: await startNow(parsed, context), isPartial: false }
  const state = start === 'beginning' ? startAtBeginning(scope) : start
  // The reader may have events that this table lacks, and whose removal this table's log will never report.
  if (state.table !== undefined && state.table !== changeStore.table) throw new CursorExpiredError()
  const logged = await replayRevisions(state, { ...context, scope, limit })
  if (!logged.isWhole) return logged
  const before = await changeStore.readFrontiers()
  const { indexed } = before
  const frontiers = isFinal ? await finalFrontiers(scope.networks, before, store) : before.frontiers
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
  // The request fails, because a reader that received its own cursor again would repeat the same request forever.
  if (turn.isPartial && turn.changes.length === 0 && isDeepStrictEqual(turn.state, start)) {
    throw new StoreUnavailableError(new Error('The budget was used up before any change was read'))
  }
  return turn
}

const countChangeCosts = (
  store: ChangeStore,
  { cost, ...options }: CallOptions & { cost: RequestCost },
): ChangeStore => {
  const enter = costCounter(cost)
  return {
    table: store.table,
    readRevisions: range => enter(store.readRevisions(range, options)),
    readNewestRevisions: range => enter(store.readNewestRevisions(range, options)),
    readFrontiers: () => enter(store.readFrontiers(options)),
  }
}
