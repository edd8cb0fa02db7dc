import { createTable } from '../../../infra/local/database/create-table.ts'
import { startEngine } from '../../../infra/local/engine/start-engine.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { localClient } from '../../support/store/local-client.ts'
import { createPlainTable } from '../../support/store/plain-table.ts'
import { startReplay } from './start-replay.ts'

const TABLE = 'events'
const PLAIN_TABLE = 'plain-events'

/**
 * Writes the events into two tables of a new engine: one of the service, and one of plain items for the baselines. A
 * process in front of the engine replays earlier answers.
 */
export async function startRecordedEngine(records: EventRecord[]) {
  const engine = await startEngine({ engine: 'dynalite' })
  const client = localClient(engine.endpoint)
  await createTable({ client, tableName: TABLE })
  await writeEvents({ client, tableName: TABLE }, records)
  await createPlainTable({ client, tableName: PLAIN_TABLE }, records)
  client.destroy()
  const replay = await startReplay(engine.endpoint)
  return {
    /** The environment of a function that reads recorded answers instead of DynamoDB. */
    environment: {
      PATH: process.env.PATH,
      EVENTS_TABLE: TABLE,
      PLAIN_TABLE,
      AWS_ENDPOINT_URL_DYNAMODB: replay.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: 'local',
      AWS_LAMBDA_FUNCTION_NAME: 'events',
    },
    async stop() {
      await replay.stop()
      await engine.stop()
    },
  }
}
