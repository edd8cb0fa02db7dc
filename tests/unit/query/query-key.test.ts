import { encodeCursor } from '../../../lib/query/cursor.ts'
import { parseQuery, type QueryInput } from '../../../lib/query/parse-query.ts'
import { queryInputOf } from '../../support/query/query-input-of.ts'
import { type ApiRequest, queryOf, tokenEvents, userEvents } from '../../support/requests/api-request.ts'

const [A, B] = [`0x${'a'.repeat(40)}`, `0x${'b'.repeat(40)}`]
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

const cursorOf = (request: ApiRequest) =>
  encodeCursor({ from: undefined, skip: 1 }, parseQuery(queryInputOf(request)).queryKey)

test.each([
  ['the default order spelt out', '', 'createdAt=desc'],
  ['other letters', `to=${A}`, `to=${A.replaceAll('a', 'A')}`],
  ['leading zeros', 'blockNumber=7', 'blockNumber=007'],
  ['parameters in another order', 'createdAt=asc&event=Minted', 'event=Minted&createdAt=asc'],
])('a cursor is valid if the same is requested with %s', (_, first, second) => {
  expect(cursorOf(tokenEvents(second))).toBe(cursorOf(tokenEvents(first)))
})

test('a cursor is not valid for another user, or for a query that matches nothing', () => {
  const nothing = [`from=${'x'.repeat(40)}`, `creator=${A}&from=${A}`].map(query => tokenEvents(query))
  const cursors = [userEvents(A), userEvents(B), tokenEvents(), ...nothing].map(cursorOf)
  expect(new Set(cursors).size).toBe(5)
})
