import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

export interface ForkedPart {
  child: ChildProcess
  /** The next message that it sends. Rejects with how it ended, where it ends before. */
  message<Message>(): Promise<Message>
  /** Resolves with how it ended, as `SIGKILL` or `exit code 1`, when nothing of it is left. */
  ended: Promise<string>
  /** Tells it to end and waits until it has; one that does not react in time is killed. */
  stop(): Promise<void>
}

const STOP_TIMEOUT_MS = 5000

/**
 * Starts a process of the local stack. It has to end when its channel to this process closes: so it
 * ends when it is stopped, and also when this process is killed. Ctrl-C in a terminal does not reach it.
 */
export function forkPart(script: string, parameters: string[], options: ForkOptions): ForkedPart {
  // A process group of its own: signals from the terminal go to another, and what it starts is in it.
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

/** What a process started survives when it is killed itself. */
function killGroup({ pid = 0 }: ChildProcess) {
  try {
    if (pid > 0) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of it is left, as it should be.
  }
}
