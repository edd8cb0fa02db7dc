import { isDeepStrictEqual } from 'node:util'
import { placeOf } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { type Budget, hasBudget } from './budget.ts'
import { hasEveryRow } from './count-matches.ts'
import { StoreUnavailableError } from './errors.ts'
import type { EventRow, EventStore } from './event-store.ts'
import type { NothingPlan, Plan } from './plan-query.ts'
import type { Position } from './position.ts'
import type { Page, PageStart } from './query.ts'
import type { RequestCost } from './request-cost.ts'
import type { EventStream } from './streams/event-stream.ts'
import { openStream } from './streams/open-stream.ts'

interface PageContext {
  store: EventStore
  budget: Budget
  /** The cost so far, to which the store adds the cost of each call. */
  cost: RequestCost
  /** A record's size in the response's format. Set only if this size can be larger than `EventRow.bytes`. */
  bytesOf?: ((record: EventRecord) => number) | undefined
  /** True if the page must not be the last, even if it reaches the end of what is stored. */
  isOpen?: boolean
}

/**
 * Up to this many skipped records are read with the page and then dropped. A longer skip does not transfer the skipped
 * records.
 */
const READ_THROUGH = 50
/**
 * Limits the number of places in memory at the same time. The limit is higher than the number of ordinary rows that one
 * DynamoDB call can examine: some 3,400 in 1 MB.
 */
const SKIP_STEP = 5000

const BEHIND = 'The final block is lower than the one on which an earlier page of this query was based'

/**
 * Throws `StoreUnavailableError` instead of returning an empty page that makes no progress. The cause is a budget that
 * is too small for a single step, or a page that must not be the last although nothing more is stored.
 */
export async function readPage(plan: Plan, start: PageStart, context: PageContext): Promise<Page> {
  if (plan.read === 'nothing') return { records: [], next: undefined, isPartial: false }
  const { store, budget, cost, isOpen = false } = context
  const skipped =
    start.skip > READ_THROUGH ? await skipRows(plan, start, context) : { ...start, isEnd: false }
  if (skipped.isEnd && isOpen) throw new StoreUnavailableError(new Error(BEHIND))
  if (skipped.isEnd) return { records: [], next: undefined, isPartial: false }

  const stream = openStream(plan, { from: skipped.from }, { store, select: 'rows' })
  /** Includes one extra row, which shows whether the answer continues. */
  const want = skipped.skip + start.limit + 1
  while (stream.ready() < want && !stream.done() && hasBudget(budget, cost)) await stream.fill(want)

  const skip = skipped.skip - stream.take(skipped.skip).length
  const taken = takeRows(stream, { limit: start.limit, bytes: budget.bodyBytes })
  const { rows } = taken
  cost.bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
  const loaded = await store.loadRecords(rows)
  const records = fitting(loaded.records, { bytes: budget.bodyBytes, bytesOf: context.bytesOf })
  const [leftOut] = loaded.records.slice(records.length)
  const isCut = leftOut ? { before: taken.before[rows.findIndex(isOf(leftOut))] } : taken.isCut
  const isEnd = stream.ready() === 0 && stream.done()
  const mayGoOn = isCut !== undefined || !isEnd || isOpen
  const next = mayGoOn ? { from: isCut ? isCut.before : stream.position(), skip } : undefined
  const wasShortened =
    isCut !== undefined ||
    (stream.ready() === 0 && (!stream.done() || isOpen)) ||
    records.length < rows.length
  // If nothing was read, the page has not advanced, even if `next` and `start.from` have different forms.
  const isSameStart = cost.calls === 0 || isDeepStrictEqual(next?.from, start.from)
  if (next && records.length === 0 && next.skip === start.skip && isSameStart) {
    throw new StoreUnavailableError(
      new Error(isEnd ? BEHIND : 'The budget was used up before any record of the page was read'),
    )
  }
  return { records, next, isPartial: next !== undefined && wasShortened }
}

/**
 * Skips rows without transferring their records. If every row of a single list matches, DynamoDB only counts the rows.
 * In all other cases, reads places, because their order decides which rows are skipped. Stops early when the budget
 * runs out. Resolves with the number of records still to skip, where to continue, and whether the skip reached the end
 * of the answer.
 */
async function skipRows(
  plan: Exclude<Plan, NothingPlan>,
  start: PageStart,
  { store, budget, cost }: PageContext,
) {
  const isCounted = plan.read === 'lists' && hasEveryRow(plan)
  const stream = openStream(plan, { from: start.from }, { store, select: isCounted ? 'count' : 'places' })
  let { skip } = start
  while (skip > 0 && (stream.ready() > 0 || !stream.done()) && hasBudget(budget, cost)) {
    await stream.fill(isCounted ? skip : Math.min(skip, SKIP_STEP))
    skip -= stream.skip(skip)
  }
  return { ...start, skip, from: stream.position(), isEnd: stream.done() && stream.ready() === 0 }
}

interface Room {
  bytes: number
}

/** Takes the first row even if it is too large. `before` has, for each row, the position before this row. */
function takeRows(stream: EventStream, { limit, bytes }: Room & { limit: number }) {
  const rows: EventRow[] = []
  const before: (Position | undefined)[] = []
  let size = 0
  while (rows.length < limit && stream.ready() > 0) {
    const position = stream.position()
    const row = stream.take(1)[0] as EventRow
    size += row.bytes
    if (size > bytes && rows.length > 0) return { rows, before, isCut: { before: position } }
    rows.push(row)
    before.push(position)
  }
  return { rows, before, isCut: undefined }
}

/** The first record is always kept, even if it is too large. Sizes are measured in the response's format. */
function fitting(
  records: EventRecord[],
  { bytes, bytesOf }: Room & Pick<PageContext, 'bytesOf'>,
): EventRecord[] {
  if (!bytesOf) return records
  let size = 0
  const tooMany = records.findIndex((record, index) => {
    size += bytesOf(record)
    return size > bytes && index > 0
  })
  return tooMany === -1 ? records : records.slice(0, tooMany)
}

const isOf = (record: EventRecord) => {
  const place = placeOf(record)
  return (row: EventRow) => row.place === place
}
