import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

const STOP_TIMEOUT_MS = 5000

/**
 * Lets go of a process that was forked with a channel, which tells it to end, and waits until it has.
 * One that does not react in time is killed.
 */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  if (child.connected) child.disconnect()
  await exit
  clearTimeout(timer)
}
