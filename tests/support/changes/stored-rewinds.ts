import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Item } from '../../../lib/store/item.ts'
import { REWINDS_LIST } from '../../../lib/store/keys.ts'
import { scanPartition } from '../../../lib/store/scan-table.ts'

/** The entries of the log of rewinds as they are stored, the oldest first. */
export async function storedRewinds(client: DynamoDBClient, tableName: string): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of scanPartition({ client, tableName }, REWINDS_LIST)) items.push(item)
  return items
}
