import { encodeCursor } from '../../../lib/query/cursor.ts'
import { parseQuery, type QueryInput } from '../../../lib/query/parse-query.ts'
import { queryOf } from '../../support/requests/api-request.ts'

const A = `0x${'a'.repeat(40)}`
const PLACE = '001755080415#000034160634#base######0000000042'

/** The first version's cursors, which callers may still have: they must stay valid as long as the service runs. */
test.each<[string, QueryInput]>([
  [
    'user-events {"filters":{"user":"0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","network":"base","event":"Minted","roles":{}},"order":{"by":"time","direction":"desc","ties":"desc"}}',
    { endpoint: 'user-events', user: A, parameters: queryOf('event=Minted&network=base') },
  ],
  [
    'token-events {"filters":{"token":"0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","blockNumber":7,"roles":{"from":"0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","to":"0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}},"order":{"by":"block","direction":"asc"}}',
    {
      endpoint: 'token-events',
      parameters: queryOf(`to=${A.toUpperCase()}&blockNumber=7&from=${A}&blockNumber=asc&address=${A}`),
    },
  ],
])('a cursor of the key %s is still accepted', (key, input) => {
  const cursor = encodeCursor({ from: undefined, skip: 3 }, key)
  const { queryKey, start } = parseQuery({ ...input, parameters: [...input.parameters, ['cursor', cursor]] })
  expect({ queryKey, skip: start.skip }).toEqual({ queryKey: key, skip: 3 })
})

test('a cursor from an earlier version continues at its place', () => {
  const cursor =
    'm1YCfJTcpwGBBX1uWzEsMix7ImF0IjoicGxhY2UiLCJwbGFjZSI6IjAwMTc1NTA4MDQxNSMwMDAwMzQxNjA2MzQjYmFzZSMjIyMjIzAwMDAwMDAwNDIifV0'
  const { start } = parseQuery({ endpoint: 'user-events', user: A, parameters: [['cursor', cursor]] })
  expect(start).toEqual({ from: { at: 'place', place: PLACE }, skip: 2, limit: 50 })
})
