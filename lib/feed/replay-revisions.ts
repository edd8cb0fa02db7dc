import type { NumberedRevision, RemovedEvent } from '../events/revision.ts'
import { hasBudget } from '../query/budget.ts'
import { CursorExpiredError } from '../query/errors.ts'
import type { RevisionPage } from './change-store.ts'
import { type FeedState, goBack } from './feed-state.ts'
import { isSurelyDead, loadsAfter } from './open-loads.ts'
import type { Change, ChangeScope, Turn, TurnContext } from './turn.ts'

/** The number of log entries per read. It is small, because an entry may take up to 60 KB. */
const ENTRIES_AT_ONCE = 10

interface ReplayContext extends TurnContext {
  scope: ChangeScope
  limit: number
}

/** Starts at the last entry that the reader has seen. Throws `CursorExpiredError`. */
export async function replayRevisions(
  before: FeedState,
  context: ReplayContext,
): Promise<Turn & { isWhole: boolean }> {
  const { changeStore, budget, cost, limit } = context
  const changes: Change[] = []
  // The last seen entry is read again: if it and all later entries are missing, the cursor is too old, or belongs to
  // another table.
  let page = await changeStore.readRevisions({ from: Math.max(1, before.seen), limit: ENTRIES_AT_ONCE })
  let revisions = behindKnown(page, before)
  const [known] = page.revisions
  let state = known?.number === before.seen ? { ...before, seenAt: known.at } : before
  for (;;) {
    const applied = applyRevisions(state, revisions, { ...context, limit: limit - changes.length })
    changes.push(...applied.changes)
    state = applied.state
    if (!applied.isWhole) return { changes, state, isPartial: false, isWhole: false }
    if (!page.isMore) return { changes, state: { ...state, isNew: false }, isPartial: false, isWhole: true }
    if (!hasBudget(budget, cost)) return { changes, state, isPartial: true, isWhole: false }
    page = await changeStore.readRevisions({ from: state.seen + 1, limit: ENTRIES_AT_ONCE })
    revisions = page.revisions
  }
}

function behindKnown({ revisions }: RevisionPage, { seen, seenAt, isNew }: FeedState): NumberedRevision[] {
  const [first] = revisions
  if (first === undefined && seen > 0 && !isNew) throw new CursorExpiredError()
  if (first?.number === seen && seenAt !== undefined && first.at !== seenAt) throw new CursorExpiredError()
  return revisions.filter(({ number }) => number > seen)
}

/**
 * Reports every removed event in the reader's scope, and then moves the reader's places back. Events after the current
 * places are included, because the reader may have received them before its places moved back. `isWhole` is false if
 * the limit left removals unreported. Throws `CursorExpiredError` if the next entries are missing.
 */
function applyRevisions(
  before: FeedState,
  revisions: readonly NumberedRevision[],
  { scope, limit, now }: Pick<ReplayContext, 'scope' | 'limit' | 'now'>,
) {
  const changes: Change[] = []
  let state = before
  for (const revision of revisions) {
    const isNext = revision.number === state.seen + 1
    if (!isNext && !state.isNew) throw new CursorExpiredError()
    const removed = revision.removed.filter(event => isAskedFor(event, scope))
    const from = isNext ? state.reported : 0
    const upTo = Math.min(removed.length, from + limit - changes.length)
    changes.push(...removed.slice(from, upTo).map(removal))
    if (upTo < removed.length) {
      state = { ...state, ...(!isNext && { seen: revision.number - 1, seenAt: undefined }), reported: upTo }
      return { changes, state, isWhole: false }
    }
    state = stateAfter(state, revision, now)
  }
  return { changes, state, isWhole: true }
}

function stateAfter(state: FeedState, revision: NumberedRevision, now: number): FeedState {
  const { places, loads } = state
  const isAtWork = revision.load?.hasEnded === false && !isSurelyDead(revision, now)
  return {
    ...state,
    seen: revision.number,
    seenAt: revision.at,
    reported: 0,
    // A running load does not move the reader back yet, because a load's events are read only after it has ended.
    places: isAtWork ? places : goBack(places, revision.places),
    loads: isAtWork || revision.load?.hasEnded ? loadsAfter(loads, revision, now) : loads,
  }
}

/**
 * Entries contain no users, so a reader that filters by `user` also gets removals of other users' events, which does no
 * harm. Networks that are no longer configured count too: they may be configured again, and readers keep their events.
 */
function isAskedFor({ network, event, address }: RemovedEvent, { filters }: ChangeScope): boolean {
  if (filters === 'unmatchable' || !(filters.network?.includes(network) ?? true)) return false
  return (filters.event?.includes(event) ?? true) && (filters.address?.includes(address) ?? true)
}

const removal = ({ id, network, blockNumber, blockHash }: RemovedEvent): Change => ({
  change: 'removed',
  record: { id, network, blockNumber, blockHash },
})
