import { randomUUID } from 'node:crypto'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createTable } from '../../../infra/local/database/create-table.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { createClient } from '../../../lib/store/create-client.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { liftTimeLimits } from '../faults/time-limits.ts'
import { runPart } from '../runner/run-part.ts'
import { LOCAL_ACCESS, localClient } from './local-client.ts'
import type { StartedEngine } from './serve-memory-dynamo.ts'
import { startTestEngine } from './start-test-engine.ts'

export interface TestEngine {
  /** For code that creates its own client. Throws outside a test. */
  readonly endpoint: string
  /** Throws outside a test. */
  readonly client: DynamoDBClient
  /** The client that functions use, but without its time limits. Throws outside a test. */
  readonly reader: DynamoDBClient
  /** Creates a table with the deployed definition and these events. Returns its name. */
  createEventsTable(records?: readonly EventRecord[]): Promise<string>
}

/** A jest worker's test files share the engine, so each test needs its own tables. Call where jest accepts hooks. */
export const useEngine = (): TestEngine =>
  whileTestsRun(() => runPart('engine', process.env.JEST_WORKER_ID ?? '1'))

/** An engine for this file alone, with large tables or fixed table names. */
export const useOwnEngine = (): TestEngine => whileTestsRun(() => startTestEngine())

function whileTestsRun(
  start: () => Promise<Pick<StartedEngine, 'endpoint'> & Partial<StartedEngine>>,
): TestEngine {
  let engine: Awaited<ReturnType<typeof start>> | undefined
  let client: DynamoDBClient | undefined
  let reader: DynamoDBClient | undefined

  beforeAll(async () => {
    engine = await start()
    const { endpoint } = engine
    client = localClient(endpoint)
    reader = liftTimeLimits(createClient({ ...LOCAL_ACCESS, endpoint }))
  })
  afterAll(async () => {
    client?.destroy()
    reader?.destroy()
    await engine?.stop?.()
  })

  return {
    get endpoint() {
      return running(engine).endpoint
    },
    get client() {
      return running(client)
    },
    get reader() {
      return running(reader)
    },
    async createEventsTable(records = []) {
      const tableName = `events-${randomUUID()}`
      const table = { client: running(client), tableName }
      await createTable(table)
      if (records.length > 0) await writeEvents(table, records)
      return tableName
    },
  }
}

function running<T>(started: T | undefined): T {
  if (!started) throw new Error('The engine runs only while tests run')
  return started
}
