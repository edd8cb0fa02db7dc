import { startEngine } from '../../../infra/local/engine/start-engine.ts'
import { engineName } from './engine-name.ts'
import { type StartedEngine, serveMemoryDynamo } from './serve-memory-dynamo.ts'

/**
 * The environment variable `EVENTS_TEST_ENGINE` names one of the local stack's engines (by default dynalite), or
 * `memory`, the DynamoDB of the simulated world.
 */
export const startTestEngine = (): Promise<StartedEngine> =>
  process.env.EVENTS_TEST_ENGINE === 'memory' ? serveMemoryDynamo() : startEngine({ engine: engineName() })
