import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import pMap from 'p-map'
import { listsOf } from '../events/lists.ts'
import { blockSpan } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { chunkPlace, type Item } from './item.ts'
import { LIST_KEY, listKey, PLACE_KEY } from './keys.ts'
import { readPartition } from './read-partition.ts'
import type { RecentBlock, RecentBlocksTable } from './recent-blocks.ts'
import { tryAgain } from './try-again.ts'

const DELETES_IN_FLIGHT = 16

/**
 * Removes all events of one block that has left the chain from every list, and resolves with their
 * number. An item goes only on the condition that it still carries the orphan's hash: the event of the
 * block that came in its place may already stand there. May be broken off anywhere and done again.
 */
export async function deleteEvents(block: RecentBlock, table: RecentBlocksTable): Promise<number> {
  const inAll = await readOrphans(block, table)
  const entriesOf = (orphan: Item) =>
    listsOf(orphan as unknown as EventRecord)
      .slice(1)
      .map(list => ({ [LIST_KEY]: listKey(list, table.network), [PLACE_KEY]: orphan[PLACE_KEY] }))
  // The item in `all` goes behind the event's others, for it tells where they are; chunks go last, for
  // a reader who still finds an item looks for them.
  await deleteWhile(block, inAll.flatMap(entriesOf), table)
  await deleteWhile(
    block,
    inAll.map(orphan => ({ [LIST_KEY]: orphan[LIST_KEY], [PLACE_KEY]: orphan[PLACE_KEY] })),
    table,
  )
  await pMap(chunkKeys(block), key => deleteItem(key, table), { concurrency: DELETES_IN_FLIGHT })
  return inAll.length
}

/** The items that the block's events have in `all`. */
async function readOrphans(block: RecentBlock, table: RecentBlocksTable): Promise<Item[]> {
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
  const orphans: Item[] = []
  for await (const items of pages) {
    orphans.push(...items.filter(({ blockHash }) => blockHash === block.blockHash))
  }
  return orphans
}

/** Chunks carry their block's hash in their key, so no other event's can be meant. */
const chunkKeys = ({ chunkLists }: RecentBlock): Item[] =>
  chunkLists.flatMap(({ list, chunks }) =>
    Array.from({ length: chunks }, (_, index) => ({ [LIST_KEY]: list, [PLACE_KEY]: chunkPlace(index) })),
  )

async function deleteWhile({ blockHash }: RecentBlock, keys: readonly Item[], table: RecentBlocksTable) {
  const condition = {
    ConditionExpression: '#blockHash = :blockHash',
    ExpressionAttributeNames: { '#blockHash': 'blockHash' },
    ExpressionAttributeValues: { ':blockHash': blockHash },
  }
  await pMap(keys, key => deleteItem(key, table, condition), { concurrency: DELETES_IN_FLIGHT })
}

async function deleteItem(key: Item, table: RecentBlocksTable, condition: object = {}) {
  const command = new DeleteCommand({ TableName: table.tableName, Key: key, ...condition })
  try {
    await tryAgain(() => table.client.send(command), table)
  } catch (error) {
    // Gone already, or the canonical event stands there.
    if (!(error instanceof ConditionalCheckFailedException)) throw error
  }
}
