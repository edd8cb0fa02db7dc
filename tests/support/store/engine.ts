import { randomUUID } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { createTable } from '../../../infra/local/database/create-table.ts'
import {
  ENGINES,
  type Engine,
  type EngineName,
  startEngine,
} from '../../../infra/local/engine/start-engine.ts'

export interface TestEngine {
  /** The engine's address, for what makes its own client. Throws outside a test. */
  readonly endpoint: string
  /** A client of the engine. Throws outside a test. */
  readonly client: DynamoDBClient
  /** Makes an empty table as the deployed one is, and tells its name. */
  createEventsTable(): Promise<string>
}

/**
 * Runs an engine, its tables in memory, while this file's tests run: the one that the environment
 * variable `EVENTS_TEST_ENGINE` names, dynalite otherwise. To be called where hooks may be registered.
 */
export function useEngine(): TestEngine {
  let engine: Engine | undefined
  let client: DynamoDBClient | undefined

  beforeAll(async () => {
    engine = await startEngine({ engine: engineName() })
    client = localClient(engine.endpoint)
  })
  afterAll(async () => {
    client?.destroy()
    await engine?.stop()
  })

  return {
    get endpoint() {
      return running(engine).endpoint
    },
    get client() {
      return running(client)
    },
    async createEventsTable() {
      const tableName = `events-${randomUUID()}`
      await createTable({ client: running(client), tableName })
      return tableName
    },
  }
}

export function engineName(): EngineName {
  const name = process.env.EVENTS_TEST_ENGINE || 'dynalite'
  const known = ENGINES.find(engine => engine === name)
  if (!known) throw new Error(`EVENTS_TEST_ENGINE is ${name}; it must be one of ${ENGINES.join(', ')}`)
  return known
}

const localClient = (endpoint: string) =>
  new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })

function running<T>(started: T | undefined): T {
  if (!started) throw new Error('The engine runs only while tests run')
  return started
}
