import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'

export interface TraceOptions {
  /** Appears in the trace beside what Lambda itself records. */
  name: string
  /** Its calls to the table appear, too. */
  client?: DynamoDBClient
}
