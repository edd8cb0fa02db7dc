import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import pMap from 'p-map'
import { blockSpan, type Place, type PlaceSpan } from '../../events/place.ts'
import type { EventRecord } from '../../events/record.ts'
import { chunkList, chunkPlace, type Item, itemsOf, readItem } from '../format/item.ts'
import { DATA, LIST_KEY, listKey, PLACE_KEY } from '../format/keys.ts'
import { namingRow } from '../format/naming-row.ts'
import { withLongField } from '../format/record-codec.ts'
import { readPartition } from '../reading/read-partition.ts'
import { isMet } from '../try-again.ts'
import { spanBehind } from './has-events-behind.ts'
import { chunkListsOf, type RecentBlock, type RecentBlocksTable } from './recent-blocks.ts'

const DELETES_IN_FLIGHT = 16

/** A stored event, and all of its items. */
export interface StoredEvent {
  record: EventRecord
  items: Item[]
}

/**
 * Removes all events of one orphaned block from every list. `events` is the result of `readBlockEvents`. An item is
 * deleted only if its bytes still belong to the orphaned block, because the canonical block's event may have replaced
 * the item. The removal can be interrupted at any point and repeated.
 */
export async function deleteEvents(
  {
    block,
    events,
  }: { block: Pick<RecentBlock, 'chunkLists'>; events: readonly Pick<StoredEvent, 'items'>[] },
  table: RecentBlocksTable,
): Promise<void> {
  const remove = (items: readonly Item[]) =>
    pMap(items, item => deleteItem(item, table), { concurrency: DELETES_IN_FLIGHT })
  // An event's item in `all` is deleted after the event's other items, because the keys of these items are derived from
  // the item in `all`. Chunks are deleted last, because a reader that still finds an item also reads the item's chunks.
  await remove(events.flatMap(({ items }) => items.slice(1)))
  await remove(events.flatMap(({ items }) => items.slice(0, 1)))
  await remove(chunkKeys(block))
}

/** Reads the stored events of the block, each with all of its items. Throws `CorruptRowError`. */
export async function readBlockEvents(block: RecentBlock, table: RecentBlocksTable): Promise<StoredEvent[]> {
  const { network } = table
  const { timestamp: seconds, blockNumber, blockHash } = block
  const span = blockSpan({ seconds, blockNumber, network })
  const isOfBlock = (record: EventRecord) => record.blockHash === blockHash
  const events: StoredEvent[] = []
  for await (const event of readEventsIn(span, table, isOfBlock)) events.push(event)
  return events
}

/**
 * Finds the blocks of all stored events with a higher place than `place`, so that they can be remembered again. The
 * hash of their parents is unknown, so the `parentHash` of each block is its own hash. Throws `CorruptRowError`.
 */
export async function findBlocksBehind(place: Place, table: RecentBlocksTable): Promise<RecentBlock[]> {
  const blocks = new Map<string, RecentBlock>()
  for await (const { record } of readEventsIn(spanBehind(place), table)) {
    const { blockNumber, blockHash, createdAt } = record
    const timestamp = Date.parse(createdAt) / 1000
    const known = blocks.get(blockHash)
    const chunkLists = [...(known?.chunkLists ?? []), ...chunkListsOf([record])]
    blocks.set(blockHash, { blockNumber, blockHash, parentHash: blockHash, timestamp, chunkLists })
  }
  return [...blocks.values()]
}

async function* readEventsIn(
  span: PlaceSpan,
  table: RecentBlocksTable,
  isWanted: (record: EventRecord) => boolean = () => true,
): AsyncGenerator<StoredEvent> {
  const list = listKey({ of: 'all' }, table.network)
  for await (const items of readPartition(table, { list, span })) {
    for (const item of items) {
      const place = String(item[PLACE_KEY])
      // An event's block and token ids are stored only in the item's bytes, so if the bytes are damaged, it is unknown
      // which items to delete.
      const decoded = namingRow({ list, place }, () => readItem(item[DATA], { list: { of: 'all' }, place }))
      const { record, elsewhere } = decoded
      if (!isWanted(record)) continue
      const chunks = elsewhere && (await readChunks(record, table))
      const whole = chunks ? namingRow({ list, place }, () => withLongField(decoded, chunks)) : record
      yield { record: whole, items: itemsOf(whole).entries }
    }
  }
}

/**
 * Reads the bytes of a long field. The field has the event's token ids, which the keys of the event's other items
 * contain. The chunks of the field still exist, because a removal deletes the event's item in `all` before the chunks.
 */
async function readChunks(record: EventRecord, table: RecentBlocksTable) {
  const pages = readPartition(table, { list: chunkList(record) })
  const chunks: Uint8Array[] = []
  for await (const items of pages) chunks.push(...items.map(item => item[DATA] as Uint8Array))
  return Buffer.concat(chunks)
}

/** The keys of chunks contain the block's hash, so chunks of another event are never deleted. */
const chunkKeys = ({ chunkLists }: Pick<RecentBlock, 'chunkLists'>): Item[] =>
  chunkLists.flatMap(({ list, chunks }) =>
    Array.from({ length: chunks }, (_, index) => ({ [LIST_KEY]: list, [PLACE_KEY]: chunkPlace(index) })),
  )

/**
 * Removes an item if the stored bytes equal the bytes of `item`. If `item` has no bytes, removes the item in any case.
 */
async function deleteItem(item: Item, table: RecentBlocksTable) {
  const command = new DeleteCommand({
    TableName: table.tableName,
    Key: { [LIST_KEY]: item[LIST_KEY], [PLACE_KEY]: item[PLACE_KEY] },
    ...(item[DATA] !== undefined && {
      ConditionExpression: '#data = :data',
      ExpressionAttributeNames: { '#data': DATA },
      ExpressionAttributeValues: { ':data': item[DATA] },
    }),
  })
  // If the condition is not met, the item is already deleted, or contains the canonical event.
  await isMet(() => table.client.send(command), table)
}
