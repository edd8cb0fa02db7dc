import type { EventRecord } from '../../events/record.ts'
import { type Condition, meetsAll } from '../../query/condition.ts'
import type { CallOptions, EventRow } from '../../query/event-store.ts'
import type { EventTable } from '../event-table.ts'
import type { DecodedItem } from '../format/record-codec.ts'
import { loadLongFields } from './load-long-fields.ts'

/** Limits the size of long fields that are loaded together, because a batch event may have thousands of ids. */
const MAX_LOADED_BYTES = 2_000_000

export interface StoredRow extends EventRow {
  item(): DecodedItem
  /** Replaces the row's record with the complete record, which includes the long field. */
  complete(record: EventRecord): void
}

/** Fetches a long field from outside the row only if a condition needs it and the row meets all other conditions. */
export async function testRows(
  rows: readonly StoredRow[],
  where: readonly Condition[],
  table: EventTable & { options: CallOptions },
) {
  const candidates = rows.filter(row => meetsAll(row.item().record, knowable(row, where)))
  const { ready, next } = withinBytes(candidates, where)
  const lacking = ready.filter(row => knowable(row, where).length < where.length)
  const long = await loadLongFields(
    lacking.map(row => row.item()),
    { ...table },
  )
  const gone = new Set<StoredRow>()
  for (const row of lacking) {
    const record = await long.of(row.item())
    if (record === 'removed') gone.add(row)
    else row.complete(record)
  }
  return {
    rows: ready.filter(row => !gone.has(row) && meetsAll(row.item().record, where)),
    /** The place after which the next read must continue. Undefined if every row was tested. */
    testedThrough: next && rows[rows.indexOf(next) - 1]?.place,
    cost: long.cost,
  }
}

/** The conditions that can be tested before the row's long field is loaded. */
function knowable(row: StoredRow, where: readonly Condition[]): readonly Condition[] {
  const { record, elsewhere } = row.item()
  if (!elsewhere) return where
  const isThere = (field: string) => !(field in record) || record[field as keyof EventRecord] !== undefined
  return where.filter(({ fields }) => fields.every(isThere))
}

/** The first long field is always loaded, even if it exceeds the limit. `next` is the first row that does not fit. */
function withinBytes(candidates: readonly StoredRow[], where: readonly Condition[]) {
  let bytes = 0
  const tooMany = candidates.findIndex(row => {
    if (knowable(row, where).length === where.length) return false
    const isFirst = bytes === 0
    bytes += row.bytes
    return !isFirst && bytes > MAX_LOADED_BYTES
  })
  if (tooMany < 0) return { ready: candidates, next: undefined }
  return { ready: candidates.slice(0, tooMany), next: candidates[tooMany] }
}
