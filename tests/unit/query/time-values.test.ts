import fc from 'fast-check'
import { momentOf, momentOfSecond } from '../../support/oracle/oracle-times.ts'
import { parseAccepted } from '../../support/query/parse-accepted.ts'

/** Returns the first and the last second as the service reads them, or undefined if the service rejects the span. */
function spanOf(span: Partial<Record<'fromTime' | 'toTime', string>>) {
  const { filters } =
    parseAccepted({ endpoint: 'token-events', parameters: Object.entries(span) })?.query ?? {}
  return filters && filters !== 'unmatchable' ? [filters.fromTime?.[0], filters.toTime?.[0]] : undefined
}

const NOON = Date.parse('2024-04-01T12:00:00Z') / 1000

test.each<[string, number, number]>([
  ['2024-04-01T12:00:00Z', NOON, NOON],
  ['2024-04-01T12:00:00-00:00', NOON, NOON],
  ['2024-04-01T12:00:00.0000001Z', NOON + 1, NOON],
  ['2024-04-01', NOON - 43_200, NOON + 43_199],
  [String(NOON), NOON, NOON],
  ['0', 0, 0],
  ['000000000002', 2, 2],
  ['016123456', 16_123_456, 16_123_456],
  ['2016-12-31T23:59:60Z', 1_483_228_800, 1_483_228_800],
  ['2016-12-31T18:59:60-05:00', 1_483_228_800, 1_483_228_800],
  ['0000-01-01', 0, -1],
  ['1969-12-31T23:59:59.5Z', 0, -1],
  ['999999999999', 253_402_300_800, 253_402_300_799],
])('%s begins a span with second %i, and ends one with %i', (text, first, last) => {
  expect([spanOf({ fromTime: text })?.[0], spanOf({ toTime: text })?.[1]]).toEqual([first, last])
})

const digits = (width: number, max: number) => fc.nat(max).map(value => String(value).padStart(width, '0'))
/** Most of these strings have a valid date. */
const date = fc.tuple(fc.constantFrom('1970', '2023', '2024', '2100', '9999'), digits(2, 13), digits(2, 32))
const time = fc.tuple(digits(2, 24), digits(2, 60), digits(2, 59))
const letter = fc.constantFrom('T', 'T', 't', ' ')
const decimals = fc.constantFrom('', '.5', '.000', '.123456789', '.')
const zone = fc.constantFrom('Z', 'z', '+02:00', '-11:30', '+24:00', '+2:00', '', ' 02:00')
const text = fc
  .tuple(
    date.map(parts => parts.join('-')),
    letter,
    time.map(parts => parts.join(':')),
    decimals,
    zone,
  )
  .map(parts => parts.join(''))

/**
 * The last second of 9999. Events have times from 1970 until then, but a string with a zone can mean a time some hours
 * outside this range.
 */
const LAST_SECOND = 253_402_300_799
const secondFrom = (moment: bigint) =>
  Math.min(Math.max(0, Number((moment + momentOfSecond(1) - 1n) / momentOfSecond(1))), LAST_SECOND + 1)

test('any date-time is read as the interface says, or refused', () => {
  fc.assert(
    fc.property(text, given => {
      const from = momentOf(given, 'fromTime')
      expect(spanOf({ fromTime: given })?.[0]).toBe(from === undefined ? undefined : secondFrom(from))
    }),
    { numRuns: 500, examples: [['9999-12-31T12:30:00.123456789-11:30'], ['1970-01-01T01:00:00.5+02:00']] },
  )
})
