import pMap from 'p-map'
import type { EventRecord } from '../../events/record.ts'
import { cutBatches } from '../event-table.ts'
import { type Item, itemsFor, itemsOf } from '../format/item.ts'
import { LIST_KEY } from '../format/keys.ts'
import { BATCHES_IN_FLIGHT, MAX_BATCH_ITEMS, putItems } from './put-items.ts'
import type { RecentBlock, RecentBlocksTable } from './recent-blocks.ts'

/**
 * Writes events of blocks that may still leave the chain. Resolves with the write units once all items are stored.
 * Chunks are stored first, then the items of `all`, then the other items, so every event with a stored item is in
 * `all`, where `readBlockEvents` finds it and derives its other items.
 */
export async function writeRecentEvents(
  records: readonly EventRecord[],
  table: RecentBlocksTable,
): Promise<number> {
  const items = records.map(itemsFor(table.networks))
  const phases = [
    items.flatMap(({ chunks }) => chunks),
    items.map(({ entries }) => entries[0] as Item),
    items.flatMap(({ entries }) => entries.slice(1)),
  ]
  let writeUnits = 0
  for (const phase of phases) {
    const batches = cutBatches(phase, MAX_BATCH_ITEMS)
    const units = await pMap(batches, batch => putItems(batch, table), { concurrency: BATCHES_IN_FLIGHT })
    writeUnits += units.reduce((sum, used) => sum + used, 0)
  }
  return writeUnits
}

/**
 * The partitions of the chunks of a block's events, and the number of chunks in each. They are stored with the block,
 * so that all chunks of the block can be found.
 */
export function chunkListsOf(records: readonly EventRecord[]): RecentBlock['chunkLists'] {
  return records.flatMap(record => {
    const { chunks } = itemsOf(record)
    const list = chunks[0]?.[LIST_KEY]
    return typeof list === 'string' ? [{ list, chunks: chunks.length }] : []
  })
}
