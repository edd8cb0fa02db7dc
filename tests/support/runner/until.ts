import { setTimeout } from 'node:timers/promises'

const POLL_MS = 10

/** Has no time limit except that of the test. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(POLL_MS)
}
