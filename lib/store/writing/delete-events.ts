import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import pMap from 'p-map'
import { blockSpan, type Place, type PlaceSpan } from '../../events/place.ts'
import type { EventRecord } from '../../events/record.ts'
import { namingRow } from '../../query/errors.ts'
import { chunkList, chunkPlace, type Item, itemsOf, readItem } from '../format/event-items.ts'
import { DATA, LIST_KEY, listKey, PLACE_KEY } from '../format/keys.ts'
import { withLongField } from '../format/record-codec.ts'
import { eachItem } from '../reading/read-partition.ts'
import { isMet } from '../try-again.ts'
import { chunkListsOf, type RecentBlock, type RecentBlocksTable } from './recent-blocks.ts'

const DELETES_IN_FLIGHT = 16

/** A stored event and all of its items, except chunks. */
export interface StoredEvent {
  record: EventRecord
  items: Item[]
}

/**
 * `events` is the result of `readBlockEvents`. Deletes an item only if its bytes are still those of the orphaned event,
 * because a writer may have stored the canonical event under the same key. Can be interrupted and repeated.
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
  // An event's item in `all` is deleted after the event's other items, because a repeated removal derives their keys
  // from this item. Chunks are deleted last, because a reader that finds an item also needs the item's chunks.
  await remove(events.flatMap(({ items }) => items.slice(1)))
  await remove(events.flatMap(({ items }) => items.slice(0, 1)))
  await remove(chunkKeys(block))
}

/** Throws `CorruptRowError`. */
export async function readBlockEvents(block: RecentBlock, table: RecentBlocksTable): Promise<StoredEvent[]> {
  const { network } = table
  const { timestamp: seconds, blockNumber, blockHash } = block
  const span = blockSpan({ seconds, blockNumber, network })
  const isOfBlock = (record: EventRecord) => record.blockHash === blockHash
  const events: StoredEvent[] = []
  for await (const event of readEventsIn(span, table, isOfBlock)) events.push(event)
  return events
}

/** The parents' hashes are unknown, so each block gets its own hash as `parentHash`. Throws `CorruptRowError`. */
export async function findBlocksBehind(place: Place, table: RecentBlocksTable): Promise<RecentBlock[]> {
  const blocks = new Map<string, RecentBlock>()
  for await (const { record } of readEventsIn(spanBehind(place), table)) {
    const { blockNumber, blockHash, createdAt } = record
    const timestamp = Date.parse(createdAt) / 1000
    const chunkLists = [...(blocks.get(blockHash)?.chunkLists ?? []), ...chunkListsOf([record])]
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
  for await (const item of eachItem(table, { list, span })) {
    const place = String(item[PLACE_KEY])
    // Only the item's bytes contain the block hash and the token ids, which determine the items to delete.
    const decoded = namingRow({ list, place }, () => readItem(item[DATA], { list: { of: 'all' }, place }))
    const { record, elsewhere } = decoded
    if (!isWanted(record)) continue
    const chunks = elsewhere && (await readChunks(record, table))
    const whole = chunks ? namingRow({ list, place }, () => withLongField(decoded, chunks)) : record
    yield { record: whole, items: itemsOf(whole).entries }
  }
}

/**
 * Reads the bytes of a long field, because this field may contain the token ids, which are in the keys of the event's
 * other items. The chunks still exist, because a removal deletes the event's item in `all` before the chunks.
 */
async function readChunks(record: EventRecord, table: RecentBlocksTable) {
  const chunks: Uint8Array[] = []
  for await (const item of eachItem(table, { list: chunkList(record) })) chunks.push(item[DATA] as Uint8Array)
  return Buffer.concat(chunks)
}

/** The keys contain the block's hash, so the chunks of another block are never deleted. */
const chunkKeys = ({ chunkLists }: Pick<RecentBlock, 'chunkLists'>): Item[] =>
  chunkLists.flatMap(({ list, chunks }) =>
    Array.from({ length: chunks }, (_, index) => ({ [LIST_KEY]: list, [PLACE_KEY]: chunkPlace(index) })),
  )

/** Deletes an item if its stored bytes equal the bytes of `item`, or unconditionally if `item` has no bytes. */
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
  // If the condition is not met, the item is already deleted or contains the canonical event.
  await isMet(() => table.client.send(command), table)
}

/** Whether the network has events, from any writer, at places higher than `place`. */
export async function hasEventsBehind(place: Place, table: RecentBlocksTable): Promise<boolean> {
  const all = { list: listKey({ of: 'all' }, table.network), span: spanBehind(place), pageSize: 1 }
  for await (const _ of eachItem(table, all)) return true
  return false
}

/** All places after `place`: `!` sorts before every character of a place, and `~` after every place. */
export const spanBehind = (place: Place): PlaceSpan => ({ first: `${place}!`, last: '~' })
