import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Kept } from './fingerprint.ts'

/** The table of the local stack, in whichever engine. */
export const TABLE_NAME = 'events'

/** What a database is opened with, wherever it runs. */
export interface DatabaseOptions {
  /** The folder for what outlives this start. */
  dataDir: string
  /** Replace what is there. */
  fresh: boolean
  /** Of what the table is to hold. */
  fingerprint: string
  /** Whether files were named, rather than the bundled ones taken. */
  eventsNamed: boolean
  /** Fills the empty table. */
  fill: (client: DynamoDBClient) => Promise<void>
}

export interface OpenedDatabase {
  endpoint: string
  /** What the table holds, where it was there. */
  kept?: Kept
}
