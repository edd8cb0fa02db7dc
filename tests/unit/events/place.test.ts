import fc from 'fast-check'
import { NETWORKS } from '../../../lib/events/networks.ts'
import {
  compareByBlock,
  compareByTime,
  decodePlace,
  encodePlace,
  endOfBlock,
  endOfSecond,
  MAX_BLOCK_NUMBER,
  MAX_LOG_INDEX,
  MAX_SECONDS,
  type PlaceParts,
} from '../../../lib/events/place.ts'

/** Few values, so that ties are common, and the bounds. */
const parts: fc.Arbitrary<PlaceParts> = fc.record({
  seconds: fc.constantFrom(0, 9, 10, 1_685_620_805, MAX_SECONDS),
  blockNumber: fc.constantFrom(0, 9, 10, 100_000_001, MAX_BLOCK_NUMBER),
  network: fc.constantFrom(...NETWORKS),
  logIndex: fc.constantFrom(0, 9, 10, MAX_LOG_INDEX),
})

const compare = (a: unknown[], b: unknown[]) => {
  const index = a.findIndex((value, at) => value !== b[at])
  return index < 0 ? 0 : (a[index] as number | string) < (b[index] as number | string) ? -1 : 1
}

test('places compare as time, block number, network and log index do', () => {
  const keys = (p: PlaceParts) => [p.seconds, p.blockNumber, p.network, p.logIndex]
  fc.assert(
    fc.property(parts, parts, (a, b) => {
      expect(compareByTime(encodePlace(a), encodePlace(b))).toBe(compare(keys(a), keys(b)))
    }),
  )
})

test('places compare by block as block number, network and log index do', () => {
  const keys = (p: PlaceParts) => [p.blockNumber, p.network, p.logIndex]
  fc.assert(
    fc.property(parts, parts, (a, b) => {
      expect(compareByBlock(encodePlace(a), encodePlace(b))).toBe(compare(keys(a), keys(b)))
    }),
  )
})

test('a place is read back as it was written', () => {
  fc.assert(fc.property(parts, given => expect(decodePlace(encodePlace(given))).toEqual(given)))
})

test.each([
  ['nothing', ''],
  ['another width', '1#2#base#3'],
  [
    'an unknown network',
    encodePlace({ seconds: 1, blockNumber: 2, network: 'base', logIndex: 3 }).replace('base', 'bass'),
  ],
  ['more than a place', `${encodePlace({ seconds: 1, blockNumber: 2, network: 'base', logIndex: 3 })}\n`],
])('%s is no place', (_name, text) => {
  expect(decodePlace(text)).toBeUndefined()
})

test('the end of a second lies behind all its places, in both directions', () => {
  fc.assert(
    fc.property(parts, given => {
      const place = encodePlace(given)
      expect(compareByTime(place, endOfSecond(given.seconds, 'asc'))).toBeLessThanOrEqual(0)
      expect(compareByTime(place, endOfSecond(given.seconds, 'desc'))).toBeGreaterThanOrEqual(0)
      expect(compareByTime(place, endOfBlock(given, 'asc'))).toBeLessThanOrEqual(0)
      expect(compareByTime(place, endOfBlock(given, 'desc'))).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('a number that does not fit its width is refused', () => {
  expect(() =>
    encodePlace({ seconds: 1, blockNumber: MAX_BLOCK_NUMBER + 1, network: 'base', logIndex: 0 }),
  ).toThrow(RangeError)
  expect(() => encodePlace({ seconds: -1, blockNumber: 1, network: 'base', logIndex: 0 })).toThrow(RangeError)
})
