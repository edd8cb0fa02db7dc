import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Part } from './running-parts.ts'

/**
 * `ended` resolves when the process and its children have ended, with a reason such as `SIGKILL` or `exit code 1`.
 * `stop` kills the process if it does not end within a time limit.
 */
export interface ForkedPart extends Part {
  child: ChildProcess
  /** Rejects with the exit reason if the process ends before it sends another message. */
  message<Message>(): Promise<Message>
}

const STOP_TIMEOUT_MS = 5000

/**
 * Starts a process of the local stack. The process must end when its channel to this process closes, which happens when
 * `stop` is called or this process is killed. The terminal's Ctrl-C does not reach the started process.
 */
export function forkPart(script: string, parameters: string[], options: ForkOptions): ForkedPart {
  // The process and its children form a separate process group, so the terminal's signals do not reach them.
  const child = fork(script, parameters, { execArgv: [], ...options, detached: true })
  const ended = once(child, 'exit').then(([code, signal]) => {
    killGroup(child)
    return signal ?? `exit code ${code}`
  })
  async function message<Message>() {
    const end = ended.then(how => {
      throw new Error(`${path.basename(script)} ended (${how})`)
    })
    const [sent] = await Promise.race([once(child, 'message'), end])
    return sent as Message
  }
  const stop = async () => {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    if (child.connected) child.disconnect()
    await ended
    clearTimeout(timer)
  }
  return { child, message, ended, stop }
}

/** Kills the remaining processes of the group, because children can outlive a killed parent. */
function killGroup({ pid = 0 }: ChildProcess) {
  try {
    if (pid > 0) process.kill(-pid, 'SIGKILL')
  } catch {
    // The process group no longer exists, as expected.
  }
}

const KEPT_CHARACTERS = 4000
const ERROR = /^.*(?:Error|Exception)\b.*$/m

/** Returns a function that returns the first line of standard error that names an error, or else the last line. */
export function errorLine({ stderr }: ChildProcess): () => string {
  let text = ''
  stderr?.setEncoding('utf8').on('data', chunk => {
    text = (text + chunk).slice(-KEPT_CHARACTERS)
  })
  return () => (ERROR.exec(text)?.[0] ?? text.trim().split('\n').at(-1) ?? '').trim()
}
