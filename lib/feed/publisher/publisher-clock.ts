import { setTimeout } from 'node:timers/promises'

/**
 * A wall clock, not a monotonic clock. The end of a pause is stored, and another process may read it after a restart.
 */
export interface PublisherClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Waits. Resolves early if the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const SYSTEM_CLOCK: PublisherClock = {
  now: Date.now,
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
}
