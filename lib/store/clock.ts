import { setTimeout } from 'node:timers/promises'

/** A monotonic clock and the system clock, which both count milliseconds. */
export interface Clock {
  /** A monotonic clock with an arbitrary zero, which is not affected by changes to the system clock. */
  now(): number
  /**
   * The system clock, which keeps counting while the machine is suspended, unlike `now`, but can be set to another
   * time.
   */
  system?(): number
  /** If the signal aborts during the sleep, rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const MONOTONIC_CLOCK: Clock = {
  now: () => performance.now(),
  system: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await setTimeout(ms, undefined, { signal })
    } catch (error) {
      throw signal?.aborted ? signal.reason : error
    }
  },
}

/**
 * Returns a function that returns the milliseconds since `startTimer` was called. The function uses both clocks and
 * returns the longer time, because the monotonic clock stands still while the machine is suspended.
 */
export function startTimer(clock: Clock): () => number {
  const system = () => clock.system?.() ?? clock.now()
  const [startedAt, startedAtSystem] = [clock.now(), system()]
  return () => Math.max(clock.now() - startedAt, system() - startedAtSystem)
}

/** Like `AbortSignal.timeout`, but measures time with `clock` and aborts with `reason`. */
export function timeLimit(ms: number, { clock, reason }: { clock: Clock; reason: Error }) {
  const limit = new AbortController()
  const ended = new AbortController()
  clock.sleep(ms, ended.signal).then(
    () => limit.abort(reason),
    () => undefined,
  )
  return { signal: limit.signal, end: () => ended.abort() }
}

/** The largest fraction of a run's time that may be reserved at its end. Only short runs reach this limit. */
const KEPT_BACK_PART = 1 / 3

/**
 * The parameters state how long before the run's end each signal aborts. In a short run, both times are shorter. When
 * `stop` aborts, the run should start no new work. When `breakOff` aborts, the run must abandon unfinished work.
 */
export function limitRun(
  remainingMs: number,
  {
    stopBeforeMs,
    breakOffBeforeMs,
    clock = MONOTONIC_CLOCK,
  }: { stopBeforeMs: number; breakOffBeforeMs: number; clock?: Clock | undefined },
) {
  const reason = new Error('The time is up')
  const keptBackMs = Math.min(stopBeforeMs, remainingMs * KEPT_BACK_PART)
  const stop = timeLimit(remainingMs - keptBackMs, { clock, reason })
  const breakOff = timeLimit(remainingMs - Math.min(breakOffBeforeMs, keptBackMs / 2), { clock, reason })
  const end = () => {
    stop.end()
    breakOff.end()
  }
  return { stop: stop.signal, breakOff: breakOff.signal, end }
}
