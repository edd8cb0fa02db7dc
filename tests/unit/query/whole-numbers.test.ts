import fc from 'fast-check'
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

const [small, long] = [fc.bigInt({ min: 0n, max: 600n }), fc.bigInt({ min: 0n, max: 10n ** 40n })]
const nearLimit = fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n })
/** Some have leading zeros. */
const digits = fc
  .tuple(fc.nat(3), fc.oneof(small, nearLimit, long))
  .map(([zeros, value]) => '0'.repeat(zeros) + value)

test('skip can be any integer that JavaScript represents exactly', () => {
  fc.assert(
    fc.property(digits, text => {
      const value = BigInt(text)
      expect(startOf('skip', text)).toBe(value < 2n ** 53n ? Number(value) : undefined)
    }),
  )
})

test('limit can be any integer from 1, and is capped', () => {
  fc.assert(
    fc.property(digits, text => {
      const value = BigInt(text)
      const capped = value > MAX_LIMIT ? MAX_LIMIT : Number(value)
      expect(startOf('limit', text)).toBe(value === 0n ? undefined : capped)
    }),
  )
})

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
