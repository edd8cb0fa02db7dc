import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Network } from '../events/networks.ts'

/** A table of events in the format that this folder's README specifies. */
export interface EventTable {
  client: DynamoDBClient
  tableName: string
  /** The table's networks, by default all. */
  networks?: readonly Network[] | undefined
}

/** A table, and the one network whose items are read or written. */
export interface NetworkTable extends Omit<EventTable, 'networks'> {
  network: Network
  signal?: AbortSignal | undefined
}

/** An item or a key in DynamoDB's wire format, in which each value states its type. */
export type AttributeMap = Record<string, AttributeValue>

export const cutBatches = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  )
