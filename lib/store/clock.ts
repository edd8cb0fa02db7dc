import { setTimeout } from 'node:timers/promises'

/** A monotonic clock in milliseconds, independent of the machine's clock. Its zero is arbitrary. */
export interface Clock {
  now(): number
  /** Resolves after `ms` milliseconds. If the signal aborts earlier, rejects with the signal's reason. */
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
  /** Cancels the timer. */
  end(): void
}

/** Like `AbortSignal.timeout`, but measures by `clock` and aborts with `reason`. */
export function timeLimit(ms: number, { clock, reason }: { clock: Clock; reason: Error }): TimeLimit {
  const limit = new AbortController()
  const ended = new AbortController()
  clock.sleep(ms, ended.signal).then(
    () => limit.abort(reason),
    () => undefined,
  )
  return { signal: limit.signal, end: () => ended.abort() }
}
