import { fileURLToPath } from 'node:url'
import { errorLine } from '../processes/error-line.ts'
import { forkPart } from '../processes/fork-part.ts'

export const ENGINES = ['dynalite', 'dynamodb-local'] as const

export type EngineName = (typeof ENGINES)[number]

export interface EngineOptions {
  engine: EngineName
  /** Where it keeps its tables; in memory without. */
  dataDir?: string
  /** Where it is to listen; on a free port without, and where that one is taken. */
  port?: number
}

export interface Engine {
  /** Where it answers, as `http://127.0.0.1:PORT`. */
  endpoint: string
  /** Resolves with the reason when the engine has ended, on request or not. */
  ended: Promise<string>
  /** Ends it and waits until it has. What was written is on disk afterwards. */
  stop(): Promise<void>
}

/** What the engine's process tells: once it can be used, or why it can't. */
export type EngineMessage = { endpoint: string } | { failure: string }

const ENGINE_PROCESS = fileURLToPath(new URL('./engine-process.ts', import.meta.url))

/**
 * Starts a DynamoDB engine in a process of its own, which ends with the process that started it however
 * that ends. Throws with one line when the engine can't start.
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const part = forkPart(ENGINE_PROCESS, [JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const error = errorLine(part.child)
  const ended = part.ended.then(how => `The engine ${options.engine} ended (${how}) ${error()}`.trim())
  const message = await part.message<EngineMessage>().catch(async () => ({ failure: await ended }))
  if ('failure' in message) throw new Error(message.failure)
  return { endpoint: message.endpoint, ended, stop: part.stop }
}
