import { setImmediate } from 'node:timers/promises'
import type { PublisherClock } from '../../../lib/feed/publisher/serving-context.ts'

export interface FastClock extends PublisherClock {
  pass(ms: number): void
  /** The pauses so far, in milliseconds. */
  pauses: number[]
}

/** Pauses end immediately, but advance the time by their full length. */
export function createFastClock(): FastClock {
  let passedMs = 0
  const pauses: number[] = []
  return {
    pauses,
    now: () => Date.now() + passedMs,
    pass: ms => {
      passedMs += ms
    },
    async sleep(ms) {
      pauses.push(ms)
      passedMs += ms
      await setImmediate()
    },
  }
}
