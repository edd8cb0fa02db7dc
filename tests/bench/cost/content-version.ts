import { createHash } from 'node:crypto'
import type { EventRecord } from '../../../lib/events/record.ts'
import { itemsOf } from '../../../lib/store/item.ts'

/** Events of which the items are looked at for a change of format. */
const SAMPLED_ITEMS = 500

/** Changes with any of the events, and with the items that events become. */
export function contentVersion(records: Iterable<EventRecord>): string {
  const hash = createHash('sha256')
  let sampled = 0
  for (const record of records) {
    hash.update(JSON.stringify(sampled < SAMPLED_ITEMS ? itemsOf(record) : record))
    sampled += 1
  }
  return hash.digest('hex').slice(0, 12)
}
