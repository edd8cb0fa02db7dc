import { fileURLToPath } from 'node:url'
import { errorLine, forkPart } from '../processes/fork-part.ts'
import type { Part } from '../processes/running-parts.ts'

export const ENGINES = ['dynalite', 'dynamodb-local'] as const

export type EngineName = (typeof ENGINES)[number]

export interface EngineOptions {
  engine: EngineName
  /** The folder for the tables. If undefined, the tables are kept in memory. */
  dataDir?: string
  /** The port to listen on. If undefined, 0 or already in use, a free port is used. */
  port?: number
}

/** When the engine has ended, all writes are on disk. */
export interface Engine extends Part {
  /** The engine's address, as `http://127.0.0.1:PORT`. */
  endpoint: string
}

export type EngineMessage = { endpoint: string } | { failure: string }

const ENGINE_PROCESS = fileURLToPath(new URL('./engine-process.ts', import.meta.url))

/**
 * The engine ends with the process that started it, even if that process is killed. If the engine does not start,
 * throws an error with a one-line message.
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

export interface EngineRun extends Omit<EngineOptions, 'engine'> {
  signal: AbortSignal
  onReady: (endpoint: string) => void
}
