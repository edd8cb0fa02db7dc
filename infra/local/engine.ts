import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { stopChild } from './stop-child.ts'

export const ENGINES = ['dynalite', 'dynamodb-local'] as const

export type EngineName = (typeof ENGINES)[number]

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
 * Starts a DynamoDB engine in a process of its own, on a free port of this machine. It keeps its tables
 * in `dataDir`, or in memory without one, and ends with the process that started it however that ends.
 * Throws with one line when the engine can't start.
 */
export async function startEngine(options: { engine: EngineName; dataDir?: string }): Promise<Engine> {
  const child = fork(ENGINE_PROCESS, [JSON.stringify(options)], {
    execArgv: [],
    // Ctrl-C in a terminal reaches a whole process group; the engine goes when its parent says so.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const lastWords = collectLastWords(child)
  const ended = once(child, 'exit').then(
    ([code, signal]) => `The engine ${options.engine} ended (${signal ?? `exit code ${code}`})${lastWords()}`,
  )
  const message = await Promise.race([
    once(child, 'message').then(([first]) => first as EngineMessage),
    ended.then(failure => ({ failure })),
  ])
  if ('failure' in message) throw new Error(message.failure)
  return { endpoint: message.endpoint, ended, stop: () => stopChild(child) }
}

/** The last line that the process wrote to its standard error, for the reason of a failure. */
function collectLastWords(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', chunk => {
    text = (text + chunk).slice(-4000)
  })
  return () => {
    const line = text.trim().split('\n').at(-1)
    return line ? `: ${line}` : ''
  }
}
