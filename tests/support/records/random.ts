/** Creates a generator (mulberry32) whose numbers and choices depend only on the seed. */
export function createRandom(seed: number) {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    /** Returns an integer from 0 to `end - 1`. */
    below: (end: number) => Math.floor(next() * end),
    chance: (probability: number) => next() < probability,
    pick<T>(values: readonly T[]): T {
      const value = values[Math.floor(next() * values.length)]
      if (value === undefined) throw new Error('Nothing to pick from')
      return value
    },
  }
}

export type Random = ReturnType<typeof createRandom>
