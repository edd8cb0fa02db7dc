import { setTimeout } from 'node:timers/promises'

/** Time that only ever goes on, whatever is done to the machine's clock; in milliseconds from anywhere. */
export interface Clock {
  now(): number
  /** Throws the reason of the signal when that comes first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const MONOTONIC_CLOCK: Clock = {
  now: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await setTimeout(ms, undefined, { signal })
    } catch (error) {
      throw signal?.aborted ? signal.reason : error
    }
  },
}

export interface TimeLimit {
  signal: AbortSignal
  /** Ends the waiting for it. */
  end(): void
}

/** As `AbortSignal.timeout`, by that clock and with that reason. */
export function timeLimit(ms: number, { clock, reason }: { clock: Clock; reason: Error }): TimeLimit {
  const limit = new AbortController()
  const ended = new AbortController()
  clock.sleep(ms, ended.signal).then(
    () => limit.abort(reason),
    () => undefined,
  )
  return { signal: limit.signal, end: () => ended.abort() }
}
