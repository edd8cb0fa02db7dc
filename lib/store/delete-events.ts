import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import pMap from 'p-map'
import { blockSpan } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { CorruptRowError } from '../query/errors.ts'
import { chunkList, chunkPlace, type Item, itemsOf, positionIn } from './item.ts'
import { DATA, LIST_KEY, listKey, PLACE_KEY } from './keys.ts'
import { readPartition } from './read-partition.ts'
import type { RecentBlock, RecentBlocksTable } from './recent-blocks.ts'
import { decodeItem, withLongField } from './record-codec.ts'
import { tryAgain } from './try-again.ts'

const DELETES_IN_FLIGHT = 16

/** An event of a block, and all of its items. */
export interface StoredEvent {
  record: EventRecord
  items: Item[]
}

/**
 * Removes all events of one block that has left the chain, as `readBlockEvents` has found them, from every list. An
 * item goes only on the condition that its bytes are still those of the orphan: the event of the block that came in its
 * place may already stand there. May be broken off anywhere and done again.
 */
export async function deleteEvents(
  { block, events }: { block: RecentBlock; events: readonly StoredEvent[] },
  table: RecentBlocksTable,
): Promise<void> {
  const remove = (items: readonly Item[]) =>
    pMap(items, item => deleteItem(item, table), { concurrency: DELETES_IN_FLIGHT })
  // The item in `all`, an event's first, goes behind the others, for it tells where they are; chunks go
  // last, for a reader who still finds an item looks for them.
  await remove(events.flatMap(({ items }) => items.slice(1)))
  await remove(events.flatMap(({ items }) => items.slice(0, 1)))
  await remove(chunkKeys(block))
}

/** The block's events that are stored, each with all of its items. Throws `CorruptRowError`. */
export async function readBlockEvents(block: RecentBlock, table: RecentBlocksTable): Promise<StoredEvent[]> {
  const { client, tableName, network } = table
  const span = blockSpan({
    seconds: block.timestamp,
    blockNumber: block.blockNumber,
    network,
    logIndex: 0,
  })
  const pages = readPartition({ tableName, list: listKey({ of: 'all' }, network), span }, query =>
    tryAgain(() => client.send(new QueryCommand(query)), table),
  )
  const events: StoredEvent[] = []
  for await (const items of pages) {
    for (const item of items) {
      const decoded = namingRow(item, () => decodeInAll(item))
      const { record, apart } = decoded
      if (record.blockHash !== block.blockHash) continue
      const chunks = apart && (await readChunks(record, table))
      const whole = chunks ? namingRow(item, () => withLongField(decoded, chunks)) : record
      events.push({ record: whole, items: itemsOf(whole).entries })
    }
  }
  return events
}

function decodeInAll({ [PLACE_KEY]: place, [DATA]: bytes }: Item) {
  if (!(bytes instanceof Uint8Array)) throw new TypeError('It has no data')
  return decodeItem(Buffer.from(bytes), positionIn({ of: 'all' }, String(place)))
}

/** Which block an item is of, and which ids, is in its bytes: where they are damaged, nobody can say what has to go. */
function namingRow<Result>({ [LIST_KEY]: list, [PLACE_KEY]: place }: Item, read: () => Result): Result {
  try {
    return read()
  } catch (cause) {
    throw new CorruptRowError({ list: String(list), place: String(place), cause })
  }
}

/** The bytes of a long field; its chunks are stored for as long as the item of `all` is. Token ids in it tell of items. */
async function readChunks(record: EventRecord, { client, tableName, ...table }: RecentBlocksTable) {
  const pages = readPartition({ tableName, list: chunkList(record) }, query =>
    tryAgain(() => client.send(new QueryCommand(query)), { ...table, tableName }),
  )
  const chunks: Uint8Array[] = []
  for await (const items of pages) chunks.push(...items.map(item => item[DATA] as Uint8Array))
  return Buffer.concat(chunks)
}

/** Chunks carry their block's hash in their key, so no other event's can be meant. */
const chunkKeys = ({ chunkLists }: RecentBlock): Item[] =>
  chunkLists.flatMap(({ list, chunks }) =>
    Array.from({ length: chunks }, (_, index) => ({ [LIST_KEY]: list, [PLACE_KEY]: chunkPlace(index) })),
  )

/** Removes an item where its bytes are still those given, or whatever they are where none are. */
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
  try {
    await tryAgain(() => table.client.send(command), table)
  } catch (error) {
    // Gone already, or the canonical event stands there.
    if (!(error instanceof ConditionalCheckFailedException)) throw error
  }
}
