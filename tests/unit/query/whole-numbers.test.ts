import { MAX_LIMIT } from '../../../lib/query/parameters.ts'
import { parseAccepted } from '../../support/query/parse-accepted.ts'

const { jest } = import.meta
const NINES = '9'.repeat(1_000_000)
const ZEROS = '0'.repeat(1_000_000)

afterEach(() => jest.restoreAllMocks())

test.each([
  ['limit', 'a million nines', NINES, MAX_LIMIT],
  ['limit', 'a million zeros and 7', `${ZEROS}7`, 7],
  ['limit', 'a million zeros', ZEROS, undefined],
  ['skip', 'a million nines', NINES, undefined],
  ['skip', 'a million zeros and 7', `${ZEROS}7`, 7],
  ['skip', 'a million zeros', ZEROS, 0],
] as const)('%s of %s is read without arithmetic, which would take seconds', (name, _, digits, expected) => {
  const makeNumber = jest.spyOn(globalThis, 'BigInt')
  const parsed = parseAccepted({ endpoint: 'token-events', parameters: [[name, digits]] })

  expect(parsed?.start[name]).toBe(expected)
  for (const [value] of makeNumber.mock.calls) expect(String(value).length).toBeLessThan(100)
})
