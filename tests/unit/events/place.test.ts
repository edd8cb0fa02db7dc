import fc from 'fast-check'
import { NETWORKS, type Network } from '../../../lib/events/networks.ts'
import {
  compareByBlock,
  compareByTime,
  decodePlace,
  encodePlace,
  endOfBlock,
  endOfSecond,
  fillNetworkNames,
  MAX_BLOCK_NUMBER,
  MAX_LOG_INDEX,
  MAX_SECONDS,
  type PlaceParts,
} from '../../../lib/events/place.ts'

/** Few values besides the bounds, so that many drawn values are equal. */
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

test.each([
  [['seconds', 'blockNumber', 'network', 'logIndex'], compareByTime],
  [['blockNumber', 'network', 'logIndex'], compareByBlock],
] as const)('places compare as %j do', (names, comparePlaces) => {
  const keys = (place: PlaceParts) => names.map(name => place[name])
  fc.assert(
    fc.property(parts, parts, (a, b) => {
      expect(comparePlaces(encodePlace(a), encodePlace(b))).toBe(compare(keys(a), keys(b)))
    }),
  )
})

test('a place is read back as it was written', () => {
  fc.assert(fc.property(parts, given => expect(decodePlace(encodePlace(given))).toEqual(given)))
})

const SOME = { seconds: 1, blockNumber: 2, network: 'base', logIndex: 3 } as const

test.each([
  ['nothing', ''],
  ['another width', '1#2#base#3'],
  ['an unknown network', encodePlace(SOME).replace('base', 'bass')],
  ['more than a place', `${encodePlace(SOME)}\n`],
])('%s is not a place', (_name, text) => {
  expect(decodePlace(text)).toBeUndefined()
})

test('the end of a second is later than all its places, in both directions', () => {
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

test('a number that does not fit its width is refused, and so is a network that is not served', () => {
  expect(() => encodePlace({ ...SOME, blockNumber: MAX_BLOCK_NUMBER + 1 })).toThrow(RangeError)
  expect(() => encodePlace({ ...SOME, seconds: -1 })).toThrow(RangeError)
  const elsewhere = { ...SOME, network: 'solana' as Network }
  expect(() => encodePlace(elsewhere)).toThrow('solana is not a network of this service')
})

describe('in a table of other networks', () => {
  /** Valid characters of names, separators of the parts of keys, and characters that sort near the fill character. */
  const letters = fc.constantFrom(...'az09-_#@:~ A!')
  const name = fc.oneof(
    fc.constantFrom('op', 'optimism', 'bnb', 'bnb-chain', 'base', 'base-c', 'zk', 'z9'),
    fc.string({ unit: letters, maxLength: 12 }),
  )

  const REFUSAL =
    /^A network cannot be named .*: its name must begin with a lower-case letter, and must consist of at most 9 lower-case letters and hyphens$/

  test('names are filled to one width and keep their order, or the table is refused', () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 4 }), names => {
        const isFit = names.every(each => /^[a-z][a-z-]{0,8}$/.test(each))
        if (!isFit) return expect(() => fillNetworkNames(names)).toThrow(REFUSAL)
        const texts = [...fillNetworkNames(names).values()]
        for (const text of texts) expect(text).toHaveLength(9)
        expect(texts.toSorted()).toEqual([...fillNetworkNames(names.toSorted()).values()])
      }),
      {
        examples: [['optimism', 'base-c', 'base', 'zk'], ['avalanche-c'], ['zora2'], ['']].map(each => [
          each,
        ]),
      },
    )
  })
})
