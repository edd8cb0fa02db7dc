/** Set `EVENTS_TEST_REQUESTS` for a longer run. */
export const REQUEST_COUNT = positiveInteger('EVENTS_TEST_REQUESTS') ?? 200

export const IS_LONG_RUN = positiveInteger('EVENTS_TEST_RUNS') !== undefined

/** Set `EVENTS_TEST_INPUTS` for a longer run. */
export const FUZZ_COUNT = positiveInteger('EVENTS_TEST_INPUTS') ?? 1000

/** Set `EVENTS_TEST_RUNS` for a longer run. */
export const WORLD_LIFE_COUNT = 100 * (positiveInteger('EVENTS_TEST_RUNS') ?? 1)

/** Test names contain the seed. To repeat a run, set `EVENTS_TEST_SEED` to its seed. */
export const SEED = positiveInteger('EVENTS_TEST_SEED') ?? Date.now() % 2 ** 31

/** Parses the text, by default the value of the variable. Returns undefined if there is none. */
export function positiveInteger(name: string, text = process.env[name]): number | undefined {
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Error(`${name} must be a whole number of at least 1, not ${text}`)
  return value
}
