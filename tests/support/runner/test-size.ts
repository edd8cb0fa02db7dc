/** How many random requests a property asks in all; `EVENTS_TEST_REQUESTS` makes a longer run. */
export const REQUEST_COUNT = positiveInteger('EVENTS_TEST_REQUESTS') ?? 200

/** A longer run was asked for. */
export const IS_LONG_RUN = positiveInteger('EVENTS_TEST_RUNS') !== undefined

/** How many random requests are asked under random faults. */
export const FAULT_RUN_COUNT = 10 * (positiveInteger('EVENTS_TEST_RUNS') ?? 6)

/** How many hostile inputs the functions are given; `EVENTS_TEST_INPUTS` makes a longer run. */
export const FUZZ_COUNT = positiveInteger('EVENTS_TEST_INPUTS') ?? 1500

/** How many random lives of a chain are indexed under faults; `EVENTS_TEST_RUNS` makes a longer run. */
export const INDEX_RUN_COUNT = positiveInteger('EVENTS_TEST_RUNS') ?? 3

/** Where all that is random starts from, printed in the names of the tests: `EVENTS_TEST_SEED` repeats a run. */
export const SEED = positiveInteger('EVENTS_TEST_SEED') ?? Date.now() % 2 ** 31

function positiveInteger(name: string): number | undefined {
  const text = process.env[name]
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Error(`${name} is ${text}; it must be a whole number`)
  return value
}
