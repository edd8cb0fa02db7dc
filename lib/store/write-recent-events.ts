import pMap from 'p-map'
import type { EventRecord } from '../events/record.ts'
import { cutBatches } from './cut-batches.ts'
import { type Item, itemsOf } from './item.ts'
import { LIST_KEY } from './keys.ts'
import { MAX_BATCH_ITEMS, putItems } from './put-items.ts'
import type { RecentBlock, RecentBlocksTable } from './recent-blocks.ts'

const BATCHES_IN_FLIGHT = 8

/**
 * Writes events of blocks that may still leave the chain, and resolves with the write units once all are
 * stored: first chunks, then the items of `all`, then the rest. So an event that has any item in its
 * lists has the one in `all`, from which `deleteEvents` finds the others.
 */
export async function writeRecentEvents(
  records: readonly EventRecord[],
  table: RecentBlocksTable,
): Promise<number> {
  const items = records.map(itemsOf)
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

/** What a block's entry must know of its events so that all their chunks are found again. */
export function chunkListsOf(records: readonly EventRecord[]): RecentBlock['chunkLists'] {
  return records.flatMap(record => {
    const { chunks } = itemsOf(record)
    const list = chunks[0]?.[LIST_KEY]
    return typeof list === 'string' ? [{ list, chunks: chunks.length }] : []
  })
}
