import { createHash } from 'node:crypto'
import type { EventRecord } from '../../../lib/events/record.ts'
import { itemsOf } from '../../../lib/store/format/item.ts'

/** The version covers the items of this number of events, so a new item format changes the version. */
const SAMPLED_ITEMS = 500

/** A version that changes whenever an event or the item format changes. */
export function contentVersion(records: Iterable<EventRecord>): string {
  const hash = createHash('sha256')
  let sampled = 0
  for (const record of records) {
    hash.update(JSON.stringify(sampled < SAMPLED_ITEMS ? itemsOf(record) : record))
    sampled += 1
  }
  return hash.digest('hex').slice(0, 12)
}
