import type { EventTable } from '../../../lib/store/event-table.ts'
import { itemBytes } from '../../../lib/store/item-bytes.ts'
import { DATA, INDEXES } from '../../../lib/store/keys.ts'
import { scanItems } from '../../../lib/store/scan-table.ts'

const UNIT_BYTES = 1024
const INDEX_KEYS = Object.values(INDEXES).map(({ key }) => key)

/**
 * What DynamoDB charges for writing all events of a table once: a write unit for each KB of an item, in the
 * table and in every index that it is in. What the indexer remembers is left out.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes
 */
export async function tableWriteUnits(table: EventTable): Promise<number> {
  let units = 0
  for await (const item of scanItems(table)) {
    if (item[DATA] === undefined) continue
    const copies = 1 + INDEX_KEYS.filter(key => item[key] !== undefined).length
    units += copies * Math.ceil(itemBytes(item) / UNIT_BYTES)
  }
  return units
}
