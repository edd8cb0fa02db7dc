import { setTimeout } from 'node:timers/promises'

const POLL_MS = 10

/** Resolves once the condition holds. How long that takes is nobody's business but the test's own time limit's. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(POLL_MS)
}
