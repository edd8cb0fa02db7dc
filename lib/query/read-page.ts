import { isDeepStrictEqual } from 'node:util'
import { type Budget, hasBudget } from './budget.ts'
import { StoreUnavailableError } from './errors.ts'
import type { EventRow, EventStore } from './event-store.ts'
import type { Page, PageStart } from './page.ts'
import type { Plan } from './plan-query.ts'
import type { RequestCost } from './request-cost.ts'
import { skipRows } from './skip-rows.ts'
import type { EventStream } from './streams/event-stream.ts'
import { openStream } from './streams/open-stream.ts'

interface PageContext {
  store: EventStore
  budget: Budget
  /** What reading the page has cost so far, which the store counts. */
  cost: RequestCost
}

/** So few records are read along and left out; more are counted without being transferred. */
const READ_THROUGH = 50

/**
 * Reads one page of a plan's answer. Throws `StoreUnavailableError` where the budget does not suffice for a single
 * step: the page would lead on to where it begins, and its reader would follow for ever.
 */
export async function readPage(plan: Plan, start: PageStart, context: PageContext): Promise<Page> {
  if (plan.read === 'nothing') return { records: [], next: undefined, isPartial: false }
  const { store, budget, cost } = context
  const skipped =
    start.skip > READ_THROUGH ? await skipRows(plan, start, context) : { ...start, isEnd: false }
  if (skipped.isEnd) return { records: [], next: undefined, isPartial: false }

  const stream = openStream(plan, { from: skipped.from }, { store, select: 'rows' })
  /** One more than the page holds, to see whether anything follows. */
  const want = skipped.skip + start.limit + 1
  while (stream.ready() < want && !stream.done() && hasBudget(budget, cost)) await stream.fill(want)

  const skip = skipped.skip - stream.take(skipped.skip).length
  const { rows, isCut } = takeRows(stream, { limit: start.limit, bytes: budget.bodyBytes })
  const mayGoOn = isCut !== undefined || stream.ready() > 0 || !stream.done()
  const next = mayGoOn ? { from: isCut ? isCut.before : stream.position(), skip } : undefined
  cost.bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
  const { records } = await store.loadRecords(rows)
  const wasShortened =
    isCut !== undefined || (stream.ready() === 0 && !stream.done()) || records.length < rows.length
  // Where nothing was read, the same start may be spelt otherwise.
  const isSameStart = cost.calls === 0 || isDeepStrictEqual(next?.from, start.from)
  if (next && records.length === 0 && next.skip === start.skip && isSameStart) {
    throw new StoreUnavailableError(new Error('The budget was used up before the page began'))
  }
  return { records, next, isPartial: next !== undefined && wasShortened }
}

/** Takes rows as far as their records fit into the answer, at least one. */
function takeRows(stream: EventStream, { limit, bytes }: { limit: number; bytes: number }) {
  const rows: EventRow[] = []
  let size = 0
  while (rows.length < limit && stream.ready() > 0) {
    const before = stream.position()
    const row = stream.take(1)[0] as EventRow
    size += row.bytes
    if (size > bytes && rows.length > 0) return { rows, isCut: { before } }
    rows.push(row)
  }
  return { rows, isCut: undefined }
}
