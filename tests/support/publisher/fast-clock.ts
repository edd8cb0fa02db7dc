import { setImmediate } from 'node:timers/promises'

/** Pauses end immediately, but advance the time by their full length. Otherwise, the time stands still. */
export function createFastClock() {
  const begunAt = Date.now()
  let passedMs = 0
  const pauses: number[] = []
  return {
    pauses,
    now: () => begunAt + passedMs,
    pass: (ms: number) => {
      passedMs += ms
    },
    async sleep(ms: number, _signal?: AbortSignal) {
      pauses.push(ms)
      passedMs += ms
      await setImmediate()
    },
  }
}
