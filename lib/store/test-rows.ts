import type { Place } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { type Condition, fieldsOfCondition, meetsAll } from '../query/condition.ts'
import type { CallOptions } from '../query/event-store.ts'
import type { StoreCost } from '../query/store-cost.ts'
import type { EventTable } from './event-table.ts'
import { loadLongFields } from './load-long-fields.ts'
import type { DecodedItem } from './record-codec.ts'
import { responseBytes } from './response-bytes.ts'

/** Of the long fields that have to be looked at, so much is loaded at once; a batch may have thousands of ids. */
const MAX_LOADED_BYTES = 2_000_000

interface Row {
  place: Place
  item(): DecodedItem
  /** Takes the place of an item without its long field. */
  complete(record: EventRecord): void
}

export interface TestedRows<Tested> {
  rows: Tested[]
  /** The last row that was tested, where others were left for another reading. */
  testedThrough: Place | undefined
  cost: StoreCost
}

/**
 * The rows that meet all conditions. Those that have the long field which a condition looks at elsewhere are
 * completed, where they meet the others.
 */
export async function testRows<Tested extends Row>(
  rows: readonly Tested[],
  where: readonly Condition[],
  table: EventTable & { options: CallOptions },
): Promise<TestedRows<Tested>> {
  const candidates = rows.filter(row => meetsAll(row.item().record, knowable(row, where)))
  const { ready, next } = withinBytes(candidates, where)
  const lacking = ready.filter(row => knowable(row, where).length < where.length)
  const long = await loadLongFields(
    lacking.map(row => row.item()),
    { ...table },
  )
  const gone = new Set<Tested>()
  for (const row of lacking) {
    const record = await long.of(row.item())
    if (record === 'removed') gone.add(row)
    else row.complete(record)
  }
  return {
    rows: ready.filter(row => !gone.has(row) && meetsAll(row.item().record, where)),
    testedThrough: next && rows[rows.indexOf(next) - 1]?.place,
    cost: long.cost,
  }
}

/** The conditions that can be tested without loading anything. */
function knowable(row: Row, where: readonly Condition[]): readonly Condition[] {
  const { record, apart } = row.item()
  if (!apart) return where
  const isThere = (field: string) => !(field in record) || record[field as keyof EventRecord] !== undefined
  return where.filter(condition => fieldsOfCondition(condition).every(isThere))
}

/** As many rows as can be looked at together, at least one that has to be loaded, and the first of the others. */
function withinBytes<Tested extends Row>(candidates: readonly Tested[], where: readonly Condition[]) {
  let bytes = 0
  const tooMany = candidates.findIndex(row => {
    if (knowable(row, where).length === where.length) return false
    const isFirst = bytes === 0
    bytes += responseBytes(row.item())
    return !isFirst && bytes > MAX_LOADED_BYTES
  })
  if (tooMany < 0) return { ready: candidates, next: undefined }
  return { ready: candidates.slice(0, tooMany), next: candidates[tooMany] }
}
