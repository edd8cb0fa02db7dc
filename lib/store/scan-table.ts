import { type AttributeValue, paginateQuery } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, paginateQuery as paginateItems, paginateScan } from '@aws-sdk/lib-dynamodb'
import { listPath } from '../events/lists.ts'
import type { Network } from '../events/networks.ts'
import type { EventRecord } from '../events/record.ts'
import { CorruptRowError } from '../query/errors.ts'
import type { EventTable } from './dynamo-event-store.ts'
import type { Item } from './item.ts'
import { LIST_KEY } from './keys.ts'
import { loadLongFields } from './load-long-fields.ts'
import { readRecord } from './read-record.ts'

/** Rows whose long fields are in memory at once. */
const ROWS_PER_PAGE = 200

/** Every item of the table, in no order. */
export async function* scanItems({ client, tableName }: EventTable): AsyncGenerator<Item> {
  const pages = paginateScan(
    { client: DynamoDBDocumentClient.from(client) },
    { TableName: tableName, ConsistentRead: true },
  )
  for await (const { Items = [] } of pages) yield* Items
}

/** The items of one partition, in their order. */
export async function* scanPartition({ client, tableName }: EventTable, list: string): AsyncGenerator<Item> {
  const pages = paginateItems(
    { client: DynamoDBDocumentClient.from(client) },
    {
      TableName: tableName,
      KeyConditionExpression: '#list = :list',
      ExpressionAttributeNames: { '#list': LIST_KEY },
      ExpressionAttributeValues: { ':list': list },
      ConsistentRead: true,
    },
  )
  for await (const { Items = [] } of pages) yield* Items
}

/** All events of a network in chain order, by the rows of `all`; an error in place of what is no event. */
export async function* scanEvents(
  table: EventTable,
  network: Network,
): AsyncGenerator<EventRecord | CorruptRowError> {
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.tableName,
      KeyConditionExpression: '#list = :list',
      ExpressionAttributeNames: { '#list': LIST_KEY },
      ExpressionAttributeValues: { ':list': { S: `${listPath({ of: 'all' })}@${network}` } },
      ConsistentRead: true,
      Limit: ROWS_PER_PAGE,
    },
  )
  for await (const { Items = [] } of pages) {
    const long = await loadLongFields(Items, table)
    for (const item of Items) yield await readEvent(item, long)
  }
}

async function readEvent(
  item: Record<string, AttributeValue>,
  long: Awaited<ReturnType<typeof loadLongFields>>,
): Promise<EventRecord | CorruptRowError> {
  try {
    const fields = item.chunks === undefined ? {} : await long.of(item)
    return readRecord(item, fields === 'removed' ? {} : fields)
  } catch (error) {
    if (error instanceof CorruptRowError) return error
    throw error
  }
}
