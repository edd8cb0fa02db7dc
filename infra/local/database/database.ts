import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Kept } from './fingerprint.ts'

/** The name of the local stack's table, in every engine. */
export const TABLE_NAME = 'events'

/** The options for opening a database. */
export interface DatabaseOptions {
  /** The folder for the data that is kept after the stack stops. */
  dataDir: string
  /** Whether to replace the existing data. */
  fresh: boolean
  /** The fingerprint of the files to load. */
  fingerprint: string
  /** Whether the user named files, or requested an empty table. If false, the bundled files are loaded. */
  eventsNamed: boolean
  /** Fills the empty table. */
  fill: (client: DynamoDBClient) => Promise<void>
}

export interface OpenedDatabase {
  endpoint: string
  /** What an existing table holds. */
  kept?: Kept
}
