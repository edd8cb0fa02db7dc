import fc from 'fast-check'
import { PARAMETERS } from '../../../lib/query/parameters.ts'
import { FORMATS, type HttpOptions } from '../http/http-events.ts'
import { ADDRESS_POOL } from '../records/arbitrary-fields.ts'
import { type ApiRequest, type Endpoint, pathOf, tokenEvents, userEvents } from './api-request.ts'
import { NASTY_CASES } from './nasty-cases.ts'

type HostileRequest = { request: ApiRequest; options: HttpOptions }

const USER = ADDRESS_POOL[2]

/** Strings that JSON can contain, including halves of surrogate pairs. A few are long. */
const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.array(fc.nat(0xffff), { maxLength: 60 }).map(units => String.fromCharCode(...units)),
  fc
    .record({ unit: fc.constantFrom('a', 'é', '\0', '0', '<', '%', '/', '"'), size: fc.nat(9000) })
    .map(({ unit, size }) => unit.repeat(size)),
)

const NAMES = [...Object.keys(PARAMETERS['token-events']), '__proto__', 'constructor']
/** Each of these values is valid for some parameter, so that some requests pass the first check. */
const VALUES = [
  ...'1 7 500 asc desc Minted TransferSingle base json csv true'.split(' '),
  USER,
  `0x${'1a'.repeat(32)}`,
]

const percentBytes = fc
  .array(fc.nat(255), { maxLength: 40 })
  .map(bytes => bytes.map(byte => `%${byte.toString(16).padStart(2, '0')}`).join(''))

/** Encodes the text for a URL correctly, partly (as some clients do), or wrongly. */
const spelt = (text: fc.Arbitrary<string>) =>
  fc.oneof(
    text.map(each => encodeURIComponent(each.toWellFormed())),
    text.map(each => each.replace(/[&=#\s]/g, '')),
    percentBytes,
  )

const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: spelt(anyText) },
)
const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...VALUES) },
  { weight: 2, arbitrary: spelt(anyText) },
)
const pair = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(name, value).map(([key, text]) => `${key}=${text}`) },
  { weight: 1, arbitrary: spelt(anyText) },
)

const rawQuery = fc.oneof(
  { weight: 6, arbitrary: fc.uniqueArray(pair, { maxLength: 4 }).map(pairs => pairs.join('&')) },
  {
    weight: 1,
    arbitrary: fc.record({ pair, times: fc.nat(300) }).map(drawn => `${drawn.pair}&`.repeat(drawn.times)),
  },
  { weight: 1, arbitrary: fc.constantFrom(...NASTY_CASES.map(nasty => nasty.rawQuery ?? '')) },
)

/** Any string, after the gateway has decoded it. */
const address = fc.oneof(
  { weight: 3, arbitrary: fc.constant(USER) },
  { weight: 3, arbitrary: anyText.map(text => text.padEnd(42, 'z')) },
  { weight: 1, arbitrary: anyText },
)

const HEADERS = 'accept-encoding if-none-match host x-forwarded-host range cookie __proto__'.split(' ')
/** No header value contains an asterisk, because the correct answer to `If-None-Match: *` is a 304. */
const headers = fc.dictionary(
  fc.oneof(fc.constantFrom(...HEADERS), fc.string({ maxLength: 20 })),
  anyText.map(text => text.replaceAll('*', '')),
  { maxKeys: 3 },
)

/** Some paths consist of any string followed by an endpoint's path. */
const anyPath = fc.oneof(
  anyText.map(text => `/${text}`),
  anyText.map(text => `/${text}/v1/token-events`),
  fc.constantFrom(...NASTY_CASES.map(({ path }) => path)),
)

const endpoint = fc.constantFrom<Endpoint>('user-events', 'token-events')

const requestTo = (endpoint: Endpoint, user: string) =>
  endpoint === 'user-events' ? userEvents(user) : tokenEvents()

export const hostileQueries: fc.Arbitrary<HostileRequest> = fc
  .record({ endpoint, address, format: fc.constantFrom(...FORMATS), rawQuery, headers })
  .map(({ endpoint: to, address: user, ...options }) => ({
    request: requestTo(to, user),
    options: { ...options, path: pathOf(requestTo(to, user.toWellFormed() || '-')) },
  }))

/** Requests with any method and any path, because a function URL lets all of them through. */
export const hostileRequests: fc.Arbitrary<HostileRequest> = fc
  .record({
    endpoint,
    method: fc.oneof(
      fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'get', 'TRACE'),
      fc.string({ maxLength: 8 }),
    ),
    path: anyPath,
    rawQuery,
    headers,
  })
  .map(({ endpoint: to, ...options }) => ({
    request: requestTo(to, '-'),
    options: { ...options, format: 'function-url' },
  }))

const payloadValue = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...VALUES, 1, 500, 0, -1, true, false) },
  { weight: 1, arbitrary: anyText },
  { weight: 1, arbitrary: fc.jsonValue() },
)

/** Any JSON, and almost valid queries. */
export const hostilePayloads: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue() },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        address: fc.oneof(address, fc.jsonValue()),
        query: fc.oneof(
          {
            weight: 6,
            arbitrary: fc.dictionary(fc.oneof(fc.constantFrom(...NAMES), anyText), payloadValue, {
              maxKeys: 4,
            }),
          },
          { weight: 1, arbitrary: fc.jsonValue() },
        ),
        smoke: fc.oneof(fc.boolean(), fc.jsonValue()),
      },
      { requiredKeys: [] },
    ),
  },
)
