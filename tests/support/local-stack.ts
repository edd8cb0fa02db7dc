import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { env, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

const START = fileURLToPath(new URL('../../infra/local/start.ts', import.meta.url))
/** What is printed last when the stack is ready. */
const READY = 'Ctrl-C stops everything.'

export interface LocalStack {
  process: ChildProcess
  /** Everything printed so far, on either stream. */
  output(): string
  errors(): string
  /** Resolves when the text was printed; throws when the process ended before. */
  untilPrinted(text: string): Promise<void>
  untilReady(): Promise<void>
  /** Resolves with the exit code. */
  ended: Promise<number | null>
}

/** Runs what `npm start` runs, as a process of its own, with further environment variables. */
export function runLocalStack(options: string[], variables: NodeJS.ProcessEnv = {}): LocalStack {
  const { NODE_OPTIONS: _, ...environment } = env
  const child = spawn(execPath, [START, ...options], {
    env: { ...environment, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = { all: '', errors: '' }
  child.stdout.setEncoding('utf8').on('data', chunk => {
    printed.all += chunk
  })
  child.stderr.setEncoding('utf8').on('data', chunk => {
    printed.all += chunk
    printed.errors += chunk
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  const untilPrinted = async (text: string) => {
    const endedFirst = ended.then(() => 'ended')
    while (!printed.all.includes(text)) {
      const next = await Promise.race([once(child.stdout, 'data'), endedFirst])
      if (next === 'ended' && !printed.all.includes(text)) {
        throw new Error(`The local stack ended without printing "${text}":\n${printed.all}`)
      }
    }
  }
  return {
    process: child,
    output: () => printed.all,
    errors: () => printed.errors,
    untilPrinted,
    untilReady: () => untilPrinted(READY),
    ended,
  }
}
