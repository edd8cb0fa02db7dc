import { setTimeout } from 'node:timers/promises'

const POLL_MS = 10

/** Resolves once the condition holds. Only the test's own time limit ends the wait. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(POLL_MS)
}
