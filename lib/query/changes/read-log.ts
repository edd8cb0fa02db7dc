import { hasBudget } from '../budget.ts'
import { applyRewinds } from './apply-rewinds.ts'
import type { Change, ChangeScope } from './change.ts'
import type { NumberedRewind, RewindPage } from './change-store.ts'
import { CursorExpiredError } from './cursor-expired-error.ts'
import type { FeedState } from './feed-state.ts'
import type { Turn, TurnContext } from './turn.ts'

/** Those of a deep reorganisation have 60 KB each. */
const ENTRIES_AT_ONCE = 10

interface LogTurn extends Turn {
  /** Whether the log was read to its end. */
  isWhole: boolean
}

interface LogContext extends TurnContext {
  scope: ChangeScope
  limit: number
}

/** Reads on in the log of rewinds, to its end if there is room for it. Throws `CursorExpiredError`. */
export async function readLog(before: FeedState, context: LogContext): Promise<LogTurn> {
  const { changeStore, budget, cost, limit } = context
  const changes: Change[] = []
  let state = before
  // With the last known entry: where neither that one nor the next is there, the cursor is too old, or of another table.
  let page = await changeStore.readRewinds({ from: Math.max(1, state.seen), limit: ENTRIES_AT_ONCE })
  let rewinds = behindKnown(page, state)
  for (;;) {
    const applied = applyRewinds(state, rewinds, { ...context, limit: limit - changes.length })
    changes.push(...applied.changes)
    state = applied.state
    if (!applied.isWhole) return { changes, state, isPartial: false, isWhole: false }
    if (!page.isMore) return { changes, state: { ...state, isNew: false }, isPartial: false, isWhole: true }
    if (!hasBudget(budget, cost)) return { changes, state, isPartial: true, isWhole: false }
    page = await changeStore.readRewinds({ from: state.seen + 1, limit: ENTRIES_AT_ONCE })
    rewinds = page.rewinds
  }
}

function behindKnown({ rewinds }: RewindPage, { seen, isNew }: FeedState): NumberedRewind[] {
  if (rewinds.length === 0 && seen > 0 && !isNew) throw new CursorExpiredError()
  return rewinds.filter(({ number }) => number > seen)
}
