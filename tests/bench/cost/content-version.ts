import { createHash } from 'node:crypto'
import type { EventRecord } from '../../../lib/events/record.ts'
import { itemsOf } from '../../../lib/store/format/item.ts'

/** These items are part of the version, so a new item format changes the version. */
const SAMPLED_ITEMS = 500

export function contentVersion(records: Iterable<EventRecord>): string {
  const hash = createHash('sha256')
  let sampled = 0
  for (const record of records) {
    hash.update(JSON.stringify(sampled < SAMPLED_ITEMS ? itemsOf(record) : record))
    sampled += 1
  }
  return hash.digest('hex').slice(0, 12)
}
