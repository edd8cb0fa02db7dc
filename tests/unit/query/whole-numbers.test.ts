import { InvalidQueryError } from '../../../lib/query/errors.ts'
import { MAX_LIMIT } from '../../../lib/query/parameters.ts'
import { parseQuery } from '../../../lib/query/parse-query.ts'

/** Undefined if the service rejects the parameter. */
function startOf(name: 'skip' | 'limit', digits: string) {
  try {
    return parseQuery({ endpoint: 'token-events', parameters: [[name, digits]] }).start[name]
  } catch (error) {
    if (error instanceof InvalidQueryError) return undefined
    throw error
  }
}

describe('a number of a million digits', () => {
  const { BigInt: makeNumber } = globalThis
  let longest = 0
  beforeEach(() => {
    longest = 0
    globalThis.BigInt = ((value: string | number) => {
      longest = Math.max(longest, String(value).length)
      return makeNumber(value)
    }) as typeof BigInt
  })
  afterEach(() => {
    globalThis.BigInt = makeNumber
  })

  const NINES = '9'.repeat(1_000_000)
  const ZEROS = '0'.repeat(1_000_000)

  test.each([
    ['limit', 'nines', NINES, MAX_LIMIT],
    ['limit', 'zeros and 7', `${ZEROS}7`, 7],
    ['limit', 'zeros', ZEROS, undefined],
    ['skip', 'nines', NINES, undefined],
    ['skip', 'zeros and 7', `${ZEROS}7`, 7],
    ['skip', 'zeros', ZEROS, 0],
  ] as const)('is read without arithmetic, which would take seconds: %s of %s', (name, _, text, expected) => {
    expect(startOf(name, text)).toBe(expected)
    expect(longest).toBeLessThan(100)
  })
})
