import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Item } from '../../../lib/store/format/event-items.ts'
import { REVISIONS_LIST } from '../../../lib/store/format/keys.ts'
import { scanPartition } from '../../../lib/store/reading/scan-table.ts'

export async function storedRevisions(client: DynamoDBClient, tableName: string): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of scanPartition({ client, tableName }, REVISIONS_LIST)) items.push(item)
  return items
}
