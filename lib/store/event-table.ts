import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb'

/** A table of events, in the format that this folder's README describes. */
export interface EventTable {
  client: DynamoDBClient
  tableName: string
}

/** An item, or the key of one, as DynamoDB sends it: each value with its type. */
export type AttributeMap = Record<string, AttributeValue>
