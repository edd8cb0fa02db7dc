import fc from 'fast-check'
import { NETWORKS } from '../../../lib/events/networks.ts'
import { encodePlace } from '../../../lib/events/place.ts'
import { type CursorState, decodeCursor, encodeCursor } from '../../../lib/query/cursor.ts'

const [network, number] = [fc.constantFrom(...NETWORKS), fc.nat()]
const place = fc.record({ seconds: number, blockNumber: number, network, logIndex: number }).map(encodePlace)

const finalThrough = fc.dictionary(fc.constantFrom(...NETWORKS), fc.maxSafeNat(), { noNullPrototype: true })

const state = fc.record(
  {
    skip: fc.maxSafeNat(),
    finalThrough,
    from: fc.oneof(
      fc.constant(undefined),
      fc.record({ at: fc.constant('place' as const), place }),
      fc.record({ at: fc.constantFrom('second' as const, 'run' as const), place }),
      fc.record(
        {
          at: fc.constant('networks' as const),
          places: fc.dictionary(network, fc.oneof(place, fc.constant('end')), { noNullPrototype: true }),
          last: place,
        },
        { requiredKeys: ['at', 'places'], noNullPrototype: true },
      ),
    ),
  },
  { requiredKeys: ['skip', 'from'] },
) satisfies fc.Arbitrary<CursorState>

const KEY = 'token-events {"filters":{}}'

/** Includes characters of other Base64 variants, because such variants decode to the same bytes. */
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/. é'

test('a cursor with any one character changed, added or left out is refused, and so is a part of it', () => {
  const character = fc.constantFrom('', ...CHARACTERS)
  fc.assert(
    fc.property(state, fc.nat(), fc.nat(1), character, (given, where, removed, put) => {
      const cursor = encodeCursor(given, KEY)
      const at = where % (cursor.length + 1)
      const others = [[...cursor].toSpliced(at, removed, put).join(''), cursor.slice(0, at), cursor.slice(at)]
      for (const other of others)
        expect(decodeCursor(other, KEY)).toEqual(other === cursor ? given : undefined)
    }),
    { numRuns: 1000 },
  )
})
