import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { PlaceSpan } from '../../events/place.ts'
import type { Item } from '../format/event-items.ts'
import { LIST_KEY, PLACE_KEY } from '../format/keys.ts'
import { type TryOptions, tryAgain } from '../try-again.ts'

export interface PartitionTable extends Pick<TryOptions, 'tableName' | 'signal'> {
  client: DynamoDBDocumentClient
}

export interface Partition {
  list: string
  /** The index that contains the partition. Undefined if the partition is in the table itself. */
  index?: { name: string; key: string }
  span?: PlaceSpan | undefined
  pageSize?: number
}

/**
 * Yields pages of items in ascending order of places. The reads are strongly consistent, except in an index. Each Query
 * is retried as `tryAgain` specifies.
 */
export async function* readPartition(
  table: PartitionTable,
  { list, index, span, pageSize }: Partition,
): AsyncGenerator<Item[]> {
  const { client, tableName } = table
  let after: Item | undefined
  do {
    const command = new QueryCommand({
      TableName: tableName,
      IndexName: index?.name,
      KeyConditionExpression: span ? '#list = :list AND #place BETWEEN :first AND :last' : '#list = :list',
      ExpressionAttributeNames: { '#list': index?.key ?? LIST_KEY, ...(span && { '#place': PLACE_KEY }) },
      ExpressionAttributeValues: { ':list': list, ...(span && { ':first': span.first, ':last': span.last }) },
      ConsistentRead: !index,
      Limit: pageSize,
      ExclusiveStartKey: after,
    })
    const { Items = [], LastEvaluatedKey } = await tryAgain(() => client.send(command), table)
    yield Items
    after = LastEvaluatedKey
  } while (after)
}

/** Like `readPartition`, but yields one item at a time. */
export async function* eachItem(table: PartitionTable, partition: Partition): AsyncGenerator<Item> {
  for await (const items of readPartition(table, partition)) yield* items
}
