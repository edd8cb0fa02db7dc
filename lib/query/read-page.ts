import { isDeepStrictEqual } from 'node:util'
import { placeOf } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { type Budget, hasBudget } from './budget.ts'
import { StoreUnavailableError } from './errors.ts'
import type { EventRow, EventStore } from './event-store.ts'
import type { Page, PageStart } from './page.ts'
import type { Plan } from './plan-query.ts'
import type { Position } from './position.ts'
import type { RequestCost } from './request-cost.ts'
import { skipRows } from './skip-rows.ts'
import type { EventStream } from './streams/event-stream.ts'
import { openStream } from './streams/open-stream.ts'

interface PageContext {
  store: EventStore
  budget: Budget
  /** What reading the page has cost so far, which the store counts. */
  cost: RequestCost
  /** What a record takes in the response, where that can be more than what the store says of its row. */
  bytesOf?: ((record: EventRecord) => number) | undefined
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
  const taken = takeRows(stream, { limit: start.limit, bytes: budget.bodyBytes })
  const { rows } = taken
  cost.bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
  const loaded = await store.loadRecords(rows)
  const records = fitting(loaded.records, { bytes: budget.bodyBytes, bytesOf: context.bytesOf })
  const [leftOut] = loaded.records.slice(records.length)
  const isCut = leftOut ? { before: taken.before[rows.findIndex(isOf(leftOut))] } : taken.isCut
  const mayGoOn = isCut !== undefined || stream.ready() > 0 || !stream.done()
  const next = mayGoOn ? { from: isCut ? isCut.before : stream.position(), skip } : undefined
  const wasShortened =
    isCut !== undefined || (stream.ready() === 0 && !stream.done()) || records.length < rows.length
  // Where nothing was read, the same start may be spelt otherwise.
  const isSameStart = cost.calls === 0 || isDeepStrictEqual(next?.from, start.from)
  if (next && records.length === 0 && next.skip === start.skip && isSameStart) {
    throw new StoreUnavailableError(new Error('The budget was used up before the page began'))
  }
  return { records, next, isPartial: next !== undefined && wasShortened }
}

interface Room {
  /** What the records of a page may take in the response. */
  bytes: number
}

/** Takes rows as far as their records fit into the answer, at least one; `before` is where each of them is found again. */
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

/** The records as far as they fit into the answer as it is written, at least one. */
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
