import type { EventRecord } from '../../../lib/events/record.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { createPlainTable } from '../../support/store/plain-table.ts'
import { startTable } from '../cost/open-table.ts'
import { startReplay } from './start-replay.ts'

const PLAIN_TABLE = 'plain-events'

/**
 * Writes the events into two tables of a new engine: one of the service, and one of plain items for the baselines. A
 * process in front of the engine replays earlier answers.
 */
export async function startRecordedEngine(records: EventRecord[]) {
  const table = await startTable()
  await writeEvents(table, records)
  await createPlainTable({ ...table, tableName: PLAIN_TABLE }, records)
  const replay = await startReplay(table.endpoint)
  return {
    /** The environment of a function that reads recorded answers instead of DynamoDB. */
    environment: {
      PATH: process.env.PATH,
      EVENTS_TABLE: table.tableName,
      PLAIN_TABLE,
      AWS_ENDPOINT_URL_DYNAMODB: replay.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: 'local',
      AWS_LAMBDA_FUNCTION_NAME: 'events',
    },
    async [Symbol.asyncDispose]() {
      await replay.stop()
      await table[Symbol.asyncDispose]()
    },
  }
}
