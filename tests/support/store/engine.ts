import { randomUUID } from 'node:crypto'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { createTable } from '../../../infra/local/database/create-table.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { createClient } from '../../../lib/store/create-client.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { liftTimeLimits } from '../faults/time-limits.ts'
import { runPart } from '../runner/run-part.ts'
import { useStarted } from '../runner/use-started.ts'
import { LOCAL_ACCESS, localClient } from './local-client.ts'
import type { StartedEngine } from './serve-memory-dynamo.ts'
import { startTestEngine } from './start-test-engine.ts'

export type TestEngine = ReturnType<typeof whileTestsRun>

/** A jest worker's test files share the engine, so each test needs its own tables. Call where jest accepts hooks. */
export const useEngine = (): TestEngine =>
  whileTestsRun(() => runPart('engine', process.env.JEST_WORKER_ID ?? '1'))

/** A separate engine for a file whose tables are large or have fixed names. */
export const useOwnEngine = (): TestEngine => whileTestsRun(() => startTestEngine())

const whileTestsRun = (start: () => Promise<Pick<StartedEngine, 'endpoint'> & Partial<StartedEngine>>) =>
  useStarted(async () => {
    const engine = await start()
    const { endpoint } = engine
    const client = localClient(endpoint)
    /** The client that functions use, but without time limits. */
    const reader = liftTimeLimits(createClient({ ...LOCAL_ACCESS, endpoint }))
    return {
      endpoint,
      client,
      documents: DynamoDBDocumentClient.from(client),
      reader,
      /** Creates a table with the deployed definition and these events. Returns its name. */
      async createEventsTable(records: readonly EventRecord[] = []): Promise<string> {
        const table = { client, tableName: `events-${randomUUID()}` }
        await createTable(table)
        if (records.length > 0) await writeEvents(table, records)
        return table.tableName
      },
      async stop() {
        client.destroy()
        reader.destroy()
        await engine.stop?.()
      },
    }
  })
