import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { usersOf } from '../../lib/events/lists.ts'
import { compareByTime, placeOf } from '../../lib/events/place.ts'
import type { EventRecord } from '../../lib/events/record.ts'
import { createFreshness } from '../../lib/http/freshness.ts'
import { StoreUnavailableError } from '../../lib/query/errors.ts'
import { ask, DECODERS } from '../support/http/ask.ts'
import { httpEvent, lambdaContext } from '../support/http/http-events.ts'
import { listenWith, useListening } from '../support/http/listen.ts'
import { queryFunction } from '../support/http/query-functions.ts'
import { useServedEvents } from '../support/http/serve-events.ts'
import { checkContract } from '../support/oracle/check-contract.ts'
import { ADDRESS_POOL } from '../support/records/arbitrary-fields.ts'
import { eventSetOf } from '../support/records/arbitrary-records.ts'
import { tokenEvents, userEvents } from '../support/requests/api-request.ts'
import { useEngine } from '../support/store/engine.ts'

const engine = useEngine()
const records = eventSetOf({ blocks: 6, events: 4, crowd: 80 }, 3)
const PAGE = '/v1/token-events'
const UNMATCHABLE = `from=0x${'9'.repeat(39)}`
const served = useServedEvents(engine, records)
const api = useListening(() => listenWith(served.store))

type Sent = { status: number | undefined; headers: IncomingMessage['headers']; bytes: Buffer }

/** Sends a request, and does not decode the response's body. */
async function send(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Sent> {
  const request = httpRequest(new URL(path, api.baseUrl), { method, headers }).end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const sent = { status: response.statusCode, headers: response.headers, bytes: await buffer(response) }
  const told = { status: response.statusCode ?? 0, headers: response.headers as Record<string, string> }
  checkContract({ method, path: path.replace(/\?.*/, ''), ...told, text: textOf(sent) })
  return sent
}

function textOf({ headers, bytes }: Sent): string {
  const coding = (headers['content-encoding'] ?? 'identity') as keyof typeof DECODERS
  return bytes.length === 0 ? '' : DECODERS[coding](bytes).toString()
}

test('an answer to a request with credentials is private, as documented', async () => {
  const { headers } = await send(PAGE, { authorization: 'Bearer token' })

  expect(headers['cache-control']).toMatch(/^private, max-age=\d+$/)
})

test.each(['br', 'gzip'] as const)('in %s, a page is the same page with another tag', async coding => {
  const plain = await send(PAGE)
  const coded = await send(PAGE, { 'accept-encoding': coding })

  expect(coded.headers).toMatchObject({ 'content-encoding': coding, vary: 'Accept, Accept-Encoding' })
  expect(plain.headers).not.toHaveProperty('content-encoding')
  expect(plain.headers.vary).toBe('Accept, Accept-Encoding')
  expect(DECODERS[coding](coded.bytes).equals(plain.bytes)).toBe(true)
  expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 4)
  expect(coded.headers.etag).not.toBe(plain.headers.etag)
})

test.each([
  ['identity', PAGE],
  ['br', PAGE],
  ['gzip', PAGE],
  ['identity', `${PAGE}?${UNMATCHABLE}`],
])('who has the %s page %s is told that it is still good', async (coding, path) => {
  const asked = { 'accept-encoding': coding }
  const { headers } = await send(path, asked)
  const again = await send(path, { ...asked, 'if-none-match': `"other", W/${headers.etag}` })

  expect({ status: again.status, length: again.bytes.length }).toEqual({ status: 304, length: 0 })
  expect(again.headers).not.toHaveProperty('content-type')
  expect(again.headers).not.toHaveProperty('content-encoding')
  const kept = 'etag cache-control vary link x-unmatchable access-control-allow-origin'.split(' ')
  for (const name of kept) expect([name, again.headers[name]]).toEqual([name, headers[name]])
})

test('a page that has become longer by a link has another tag', async () => {
  const address = `0x${'5'.repeat(40)}`
  const mine = records.slice(0, 3).map((record, at) => ({ ...record, address, logIndex: 900_000 + at }))
  const path = `${PAGE}?address=${address}&createdAt=asc&limit=2`
  const inOrder = mine.toSorted((a, b) => compareByTime(placeOf(a), placeOf(b)))
  await served.write(inOrder.slice(0, 2))
  const before = await send(path)
  await served.write(inOrder.slice(2))
  const after = await send(path, { 'if-none-match': `${before.headers.etag}` })

  expect(before.headers).not.toHaveProperty('link')
  expect(after.status).toBe(200)
  expect(after.headers.link).toContain(`<${api.baseUrl}${path}&cursor=`)
})

test.each([
  ['a page', PAGE, {}],
  ['a page in brotli', PAGE, { 'accept-encoding': 'br' }],
  ['a page of CSV', PAGE, { accept: 'text/csv', 'accept-encoding': 'gzip' }],
  ['no events in lines', `/v1/user-events/0x${'9'.repeat(40)}`, { accept: 'application/x-ndjson' }],
  ['no events', `/v1/user-events/0x${'9'.repeat(40)}`, {}],
  ['no events that can match', `${PAGE}?${UNMATCHABLE}`, {}],
  ['a refusal', `${PAGE}?limit=x`, {}],
  ['an unknown path', '/v2/token-events', {}],
])('HEAD has the headers of GET and no body: %s', async (_, path, asked) => {
  const get = await send(path, asked)
  const head = await send(path, asked, 'HEAD')

  expect({ status: head.status, length: head.bytes.length }).toEqual({ status: get.status, length: 0 })
  expect(comparable(head)).toEqual({ ...comparable(get), 'content-length': String(get.bytes.length) })
})

/** Returns the headers without those whose values differ between requests. */
function comparable({ headers }: { headers: IncomingMessage['headers'] }) {
  const { date: _, 'server-timing': __, 'transfer-encoding': ___, ...rest } = headers
  return rest
}

test.each([
  ...['/v1', '/v1/', '/v1/token-events/', '/v1/user-events/', '/v1/user-events/a/b', '/v1/nothing'],
  ...['/v1/v1/token-events', '/elsewhere/v1/token-events', '/v1/docs'],
])('there is nothing at %s', async path => {
  const { status, headers, bytes } = await send(path)

  expect({ status, type: headers['content-type'] }).toEqual({ status: 404, type: 'application/json' })
  expect(JSON.parse(bytes.toString())).toMatchObject({ status: 404, type: `${api.baseUrl}/docs#not-found` })
})

test.each([PAGE, `/v1/user-events/${ADDRESS_POOL[2]}`])('a browser may ask %s from any page', async path => {
  const asked = { origin: 'https://example.com', 'access-control-request-method': 'GET' }
  const { status, headers, bytes } = await send(path, asked, 'OPTIONS')

  expect({ status, length: bytes.length }).toEqual({ status: 204, length: 0 })
  expect(headers).toMatchObject({
    allow: 'GET, HEAD, OPTIONS',
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers': '*, Authorization',
  })
})

test.each([
  [`${PAGE}?&&limit=5&`, 'GET', 200],
  [`${PAGE}?limit=0`, 'GET', 400],
  ['/nothing', 'GET', 404],
  [PAGE, 'DELETE', 405],
  [PAGE, 'OPTIONS', 204],
])('%s by %s lets pages of any origin read what it says', async (path, method, status) => {
  const sent = await send(path, { origin: 'https://example.com' }, method)

  expect(sent.status).toBe(status)
  expect(sent.headers['access-control-allow-origin']).toBe('*')
  expect(sent.headers['x-request-id']).toMatch(/./)
  const names =
    'ETag Link Retry-After Server-Timing X-Indexed-Through X-Partial X-Request-Id X-Unmatchable'.split(' ')
  expect(sent.headers['access-control-expose-headers']?.split(', ')).toEqual(expect.arrayContaining(names))
})

test('a block that has been recorded as final for some time is kept for an hour', async () => {
  const [record] = records as [EventRecord]
  const { network, blockNumber } = record
  const notes = [{ at: 0, blockNumber, timestamp: 0 }]
  const final = { network, blockNumber, timestamp: 0, finalizedBlock: blockNumber, notes } as const
  const read = async () => ({ networks: [final], calls: 1, examined: 1, readUnits: 1 })
  const freshness = createFreshness(read)
  const handler = queryFunction('user-events', { store: served.store, freshness })
  const [user = ''] = usersOf(record)
  const query = userEvents(user, `network=${network}&blockNumber=${blockNumber}`)

  expect((await ask(handler, query, 'http-api')).headers).toMatchObject({
    'cache-control': 'public, max-age=3600',
    'x-indexed-through': `${network}=${blockNumber}@1970-01-01T00:00:00Z`,
  })
})

test('a function that has no time left to read asks to come again, rather than for the same page', async () => {
  const handler = queryFunction('token-events', { store: served.store })
  const event = httpEvent(tokenEvents(), { format: 'http-api' })
  const context = lambdaContext({ getRemainingTimeInMillis: () => 900 })

  expect(await handler(event, context)).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '2' } })
  await expect(handler({ query: {} }, context)).rejects.toThrow(StoreUnavailableError)
})
