import { type HttpEvent, isHttpEvent, readHttpRequest } from '../../../lib/http/http-request.ts'
import { type Format, httpEvent } from '../../support/http/http-events.ts'
import { type ApiRequest, queryOf, tokenEvents } from '../../support/requests/api-request.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const LISTS = 'multiValueQueryStringParameters'
const SINGLE = 'queryStringParameters'
const twoMeanings = tokenEvents('blockNumber=1&blockNumber=desc&event=Minted')

const eventOf = (format: Format, changes: object = {}): HttpEvent =>
  ({ ...httpEvent(twoMeanings, { format }), ...changes }) as unknown as HttpEvent

const parametersOf = (event: HttpEvent) => readHttpRequest(event).http.parameters

const single = { event: 'Minted', limit: '5,6', from: '%41' }
const inherited = JSON.parse('{"__proto__":"1","constructor":"2"}')
const likeVersion2 = { requestContext: { ...eventOf('rest').requestContext, http: { method: 'GET' } } }
const someListed = { [LISTS]: { blockNumber: ['1', 'desc'] }, [SINGLE]: { blockNumber: 'desc', limit: '5' } }
const joined = { [SINGLE]: { limit: '5,6' } }
const fiveAndSix = queryOf('limit=5,6')

test.each<[string, Format, changes: object, query: ApiRequest['query']]>([
  ['payload 1.0 without lists', 'rest', { [LISTS]: undefined, [SINGLE]: single }, Object.entries(single)],
  ['payload 1.0 with null for lists', 'rest', { [LISTS]: null, [SINGLE]: single }, Object.entries(single)],
  ['payload 1.0 with no names in lists', 'rest', { [LISTS]: {}, [SINGLE]: single }, Object.entries(single)],
  [
    'payload 1.0 with some names in lists',
    'rest',
    someListed,
    [...twoMeanings.query.slice(0, 2), ['limit', '5']],
  ],
  ['payload 1.0 with a context like payload 2.0', 'rest', likeVersion2, twoMeanings.query],
  ['inherited properties', 'rest', { [LISTS]: null, [SINGLE]: inherited }, Object.entries(inherited)],
  ['payload 2.0 without a raw query', 'http-api', { ...joined, rawQueryString: undefined }, fiveAndSix],
  ['payload 2.0 with null', 'http-api', { ...joined, rawQueryString: null }, fiveAndSix],
  ['payload 2.0 with an empty raw query', 'http-api', { ...joined, rawQueryString: '' }, fiveAndSix],
  ['a second question mark', 'http-api', { rawQueryString: '?limit=5' }, [['?limit', '5']]],
])('%s is read', (_, format, changes, query) => {
  expect(parametersOf(eventOf(format, changes))).toEqual(query)
})

test('in payload 1.0, the values of a repeated header are joined, and any name is read', () => {
  const event = eventOf('rest', {
    headers: { Accept: 'text/html', Host: 'a.example', constructor: '2' },
    multiValueHeaders: { Accept: ['application/json', 'text/html'], Host: ['a.example'] },
  })

  const { headers } = readHttpRequest(event).http
  expect(headers).toEqual({ accept: 'application/json, text/html', host: 'a.example', constructor: '2' })
})

test.each([
  ['the gateway’s', { domainName: 'a.example' }, { host: 'b.example' }, 'a.example'],
  ['the one in the request', {}, { Host: '127.0.0.1:3000' }, '127.0.0.1:3000'],
  ['unknown', {}, {}, ''],
])('the host is %s', (_, context, headers, host) => {
  const requestContext = { http: { method: 'GET' }, ...context }

  const read = readHttpRequest({ rawPath: '/', requestContext, headers })
  expect(read).toMatchObject({ http: { host }, problems: [] })
})

const mustBe = (parameter: string, what = 'a string') => ({ parameter, message: `must be ${what}` })
const OBJECT = 'an object'
const at = (format: Format, domainName: unknown) => ({
  requestContext: { ...eventOf(format).requestContext, domainName },
})

/** No gateway sends these events. */
test.each([
  [{ rawPath: null }, 'http-api', mustBe('rawPath')],
  [{ httpMethod: 5 }, 'rest', mustBe('httpMethod')],
  [{ headers: { 'accept-encoding': {} } }, 'http-api', mustBe('headers.accept-encoding')],
  [{ requestContext: { http: null }, rawPath: '/' }, 'http-api', mustBe('requestContext.http.method')],
  [{ requestContext: { http: {} } }, 'function-url', mustBe('requestContext.http.method')],
  [{ rawQueryString: 5 }, 'http-api', mustBe('rawQueryString')],
  [{ rawQueryString: '', queryStringParameters: '' }, 'http-api', mustBe('queryStringParameters', OBJECT)],
  [{ headers: 'accept: *' }, 'http-api', mustBe('headers', OBJECT)],
  [{ headers: { 'if-none-match': ['*'] } }, 'rest', mustBe('headers.if-none-match')],
  [{ pathParameters: { address: 5 } }, 'http-api', mustBe('pathParameters.address')],
  [{ pathParameters: [ADDRESS] }, 'rest', mustBe('pathParameters', OBJECT)],
  [{ path: {}, requestContext: {} }, 'rest', mustBe('path')],
  [{ queryStringParameters: { limit: 5 } }, 'rest', mustBe('queryStringParameters.limit')],
  [{ [LISTS]: { limit: '5' } }, 'rest', mustBe(`${LISTS}.limit`, 'a list of strings')],
  [{ [LISTS]: { limit: [] } }, 'rest', mustBe(`${LISTS}.limit`, 'a list of strings')],
  [{ [LISTS]: { limit: [5] } }, 'rest', mustBe(`${LISTS}.limit`)],
  [{ [LISTS]: 'limit=5' }, 'rest', mustBe(LISTS, OBJECT)],
  [at('rest', 5), 'rest', mustBe('requestContext.domainName')],
  [at('http-api', 'a\r\nX: b'), 'http-api', mustBe('requestContext.domainName', 'a host name')],
] as const)('an event with %j (%s) is refused', (changes, format, problem) => {
  const event = eventOf(format, changes)

  expect(isHttpEvent(event)).toBe(true)
  expect(readHttpRequest(event).problems).toContainEqual(problem)
})

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a list', [{ requestContext: { http: {} } }]],
  ['a direct call', { query: { limit: 5 } }],
  ['no context', { rawPath: '/v1/token-events', rawQueryString: '' }],
  ['null for a context', { rawPath: '/v1/token-events', requestContext: null }],
  ['a string for a context', { httpMethod: 'GET', requestContext: 'http' }],
  ['a WebSocket’s message', { requestContext: { routeKey: '$default', connectionId: 'a' }, body: '' }],
])('%s is not an HTTP request', (_, event) => {
  expect(isHttpEvent(event)).toBe(false)
})
