import pMap from 'p-map'
import { decodePlace, type Place } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { recordId } from '../events/record-fields.ts'
import { chunkList, type Item, readItem } from '../store/format/item.ts'
import { DATA, INDEXES, PLACE_KEY } from '../store/format/keys.ts'
import { readPartition } from '../store/reading/read-partition.ts'
import type { RecentBlocksTable } from '../store/writing/recent-blocks.ts'

const READS_IN_FLIGHT = 8

export interface SameEvent {
  place: Place
  /** The partition for the event's chunks, even if the event has no chunks. Undefined if the row is unreadable. */
  chunkList: string | undefined
}

/**
 * Finds the stored events that share an id with a record, at any place: for example false copies, or orphaned events
 * that were mined again. Reads the transaction index, which DynamoDB updates shortly after the table.
 */
export async function findSameEvents(
  records: readonly EventRecord[],
  table: RecentBlocksTable,
): Promise<SameEvent[]> {
  const ids = new Set(records.map(({ id }) => id))
  const hashes = [...new Set(records.map(({ transactionHash }) => transactionHash))]
  const read = async (transactionHash: string) =>
    (await readTransaction(transactionHash, table)).flatMap(item => {
      const place = String(item[PLACE_KEY])
      const parts = decodePlace(place)
      const isSame = parts && ids.has(recordId({ ...parts, transactionHash }))
      return isSame ? [{ place, chunkList: chunkListOf(item, place) }] : []
    })
  return (await pMap(hashes, read, { concurrency: READS_IN_FLIGHT })).flat()
}

async function readTransaction(hash: string, table: RecentBlocksTable): Promise<Item[]> {
  const items: Item[] = []
  for await (const page of readPartition(table, { list: hash, index: INDEXES.transaction }))
    items.push(...page)
  return items
}

function chunkListOf(item: Item, place: Place): string | undefined {
  try {
    return chunkList(readItem(item[DATA], { list: { of: 'all' }, place }).record)
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined
    throw error
  }
}
