import pMap from 'p-map'
import { BEGINNING, compareByTime, decodePlace, endOfBlock, type Place } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { recordId } from '../events/record-fields.ts'
import type { Checkpoint } from '../store/format/checkpoint.ts'
import { chunkList } from '../store/format/event-items.ts'
import { SETTLED_AFTER_SECONDS, settledBlock } from '../store/format/indexed-since.ts'
import { INDEXES, listKey, PLACE_KEY } from '../store/format/keys.ts'
import { eachItem, type Partition } from '../store/reading/read-partition.ts'
import { readRevisions } from '../store/reading/read-revisions.ts'
import { spanBehind } from '../store/writing/delete-events.ts'
import type { RecentBlocksTable } from '../store/writing/recent-blocks.ts'
import { recordIn } from './scan-lists.ts'

const READS_IN_FLIGHT = 8

export interface SameEvent {
  place: Place
  /** The partition for the event's chunks, even if the event has no chunks. Undefined if the row is unreadable. */
  chunkList: string | undefined
}

export interface SearchedTable extends RecentBlocksTable {
  checkpoint: Checkpoint | undefined
}

/**
 * Finds the stored events that share an id with a record, at any place: for example false copies, or orphaned events
 * whose transactions were mined again. Reads the transaction index. DynamoDB updates this index with a delay, so the
 * events that the index may still lack are read from the table. May return an event twice.
 */
export async function findSameEvents(
  records: readonly EventRecord[],
  { checkpoint, ...table }: SearchedTable,
): Promise<SameEvent[]> {
  const { network } = table
  const ids = new Set(records.map(({ id }) => id))
  const hashes = [...new Set(records.map(({ transactionHash }) => transactionHash))]
  if (hashes.length === 0) return []
  const { transaction: index } = INDEXES
  const sameIn = async (partition: Partition) => {
    const found: SameEvent[] = []
    for await (const item of eachItem(table, partition)) {
      const place = String(item[PLACE_KEY])
      const parts = decodePlace(place)
      if (!parts || !ids.has(recordId({ ...parts, transactionHash: String(item[index.key]) }))) continue
      const record = recordIn(item)
      found.push({ place, chunkList: record && chunkList(record) })
    }
    return found
  }
  const indexed = await pMap(hashes, list => sameIn({ list, index }), { concurrency: READS_IN_FLIGHT })
  const behind = await lastSettled({ checkpoint, ...table })
  if (behind === undefined) return indexed.flat()
  const newest = await sameIn({ list: listKey({ of: 'all' }, network), span: spanBehind(behind) })
  return [...indexed.flat(), ...newest]
}

/**
 * The place up to which the index has every event. Undefined if there is no sign of recently stored events, because the
 * index then has every event.
 */
async function lastSettled({ checkpoint, ...table }: SearchedTable): Promise<Place | undefined> {
  const { network } = table
  const nowMs = Date.now()
  const settled = checkpoint && settledBlock(checkpoint, nowMs)
  const places: Place[] = checkpoint
    ? [settled ? endOfBlock({ seconds: settled.timestamp, ...settled, network }, 'asc') : BEGINNING]
    : []
  // A load does not move the checkpoint, but its entries in the log of revisions contain the place after which it
  // stores events.
  const since = nowMs / 1000 - SETTLED_AFTER_SECONDS
  for await (const revision of readRevisions(table)) {
    const place = revision.places[network]
    if (place !== undefined && revision.at > since) places.push(place)
  }
  return places.sort(compareByTime)[0]
}
