import { itemWriteUnits } from '../../../lib/inspect/item-cost.ts'
import type { EventTable } from '../../../lib/store/event-table.ts'
import { DATA } from '../../../lib/store/format/keys.ts'
import { scanItems } from '../../../lib/store/reading/scan-table.ts'

/** The write units that DynamoDB charges for writing all events of a table once, without the indexer's own items. */
export async function tableWriteUnits(table: EventTable): Promise<number> {
  let units = 0
  for await (const item of scanItems(table)) if (item[DATA] !== undefined) units += itemWriteUnits(item)
  return units
}
