import type { EventTable } from '../../../lib/store/event-table.ts'
import { itemWriteUnits } from '../../../lib/store/item-bytes.ts'
import { DATA } from '../../../lib/store/keys.ts'
import { scanItems } from '../../../lib/store/scan-table.ts'

/** What DynamoDB charges for writing all events of a table once. What the indexer remembers is left out. */
export async function tableWriteUnits(table: EventTable): Promise<number> {
  let units = 0
  for await (const item of scanItems(table)) if (item[DATA] !== undefined) units += itemWriteUnits(item)
  return units
}
