/** The number of random requests per property. Set `EVENTS_TEST_REQUESTS` for a longer run. */
export const REQUEST_COUNT = positiveInteger('EVENTS_TEST_REQUESTS') ?? 200

/** Whether this is a long run, which is the case if `EVENTS_TEST_RUNS` is set. */
export const IS_LONG_RUN = positiveInteger('EVENTS_TEST_RUNS') !== undefined

/** The number of random requests under random faults. */
export const FAULT_RUN_COUNT = 10 * (positiveInteger('EVENTS_TEST_RUNS') ?? 6)

/** The number of hostile inputs to the functions. Set `EVENTS_TEST_INPUTS` for a longer run. */
export const FUZZ_COUNT = positiveInteger('EVENTS_TEST_INPUTS') ?? 1500

/** The number of random lives of a chain under faults. Set `EVENTS_TEST_RUNS` for a longer run. */
export const INDEX_RUN_COUNT = positiveInteger('EVENTS_TEST_RUNS') ?? 3

/** The number of lives of the simulated world. Set `EVENTS_TEST_RUNS` for a longer run. */
export const WORLD_LIFE_COUNT = 100 * (positiveInteger('EVENTS_TEST_RUNS') ?? 1)

/** The seed of all randomness. Test names print the seed, and `EVENTS_TEST_SEED` repeats a run. */
export const SEED = positiveInteger('EVENTS_TEST_SEED') ?? Date.now() % 2 ** 31

function positiveInteger(name: string): number | undefined {
  const text = process.env[name]
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Error(`${name} is ${text}; it must be a whole number`)
  return value
}
