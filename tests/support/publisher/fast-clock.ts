import { setImmediate } from 'node:timers/promises'

/** Pauses end immediately, but advance the time by their full length. */
export function createFastClock() {
  let passedMs = 0
  const pauses: number[] = []
  return {
    pauses,
    now: () => Date.now() + passedMs,
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
