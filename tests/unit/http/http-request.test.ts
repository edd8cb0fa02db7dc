import { type HttpEvent, isHttpEvent, readHttpRequest } from '../../../lib/http/http-request.ts'
import { type Format, httpEvent } from '../../support/http/http-events.ts'
import { queryOf, tokenEvents } from '../../support/requests/api-request.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const LISTS = 'multiValueQueryStringParameters'
const twoMeanings = tokenEvents('blockNumber=1&blockNumber=desc&event=Minted')

const eventOf = (format: Format, changes: object = {}): HttpEvent =>
  ({ ...httpEvent(twoMeanings, { format }), ...changes }) as unknown as HttpEvent

const parametersOf = (event: HttpEvent) => readHttpRequest(event).http.parameters

test.each([undefined, null, {}])('payload 1.0 with %j for lists: single values are read unchanged', lists => {
  const queryStringParameters = { event: 'Minted', limit: '5,6', from: '%41' }
  const parameters = parametersOf(eventOf('rest', { [LISTS]: lists, queryStringParameters }))

  expect(parameters).toEqual(Object.entries(queryStringParameters))
})

test('payload 1.0 is recognised even if its context looks like payload 2.0', () => {
  const requestContext = { ...eventOf('rest').requestContext, http: { method: 'GET' } }

  expect(parametersOf(eventOf('rest', { requestContext }))).toEqual(twoMeanings.query)
})

test('payload 1.0: a name without a list is read from the single values', () => {
  const event = eventOf('rest', {
    [LISTS]: { blockNumber: ['1', 'desc'] },
    queryStringParameters: { blockNumber: 'desc', limit: '5' },
  })

  expect(parametersOf(event)).toEqual(queryOf('blockNumber=1&blockNumber=desc&limit=5'))
})

test('payload 1.0: the values of a repeated header are joined', () => {
  const event = eventOf('rest', {
    headers: { Accept: 'text/html', Host: 'a.example' },
    multiValueHeaders: { Accept: ['application/json', 'text/html'], Host: ['a.example'] },
  })

  const { headers } = readHttpRequest(event).http
  expect(headers).toEqual({ accept: 'application/json, text/html', host: 'a.example' })
})

test.each([undefined, null, ''])('payload 2.0 whose raw query is %j: the joined values are read', raw => {
  const event = eventOf('http-api', { rawQueryString: raw, queryStringParameters: { limit: '5,6' } })

  expect(parametersOf(event)).toEqual([['limit', '5,6']])
})

test('parameters and headers can have the names of inherited properties', () => {
  const query = JSON.parse('{"__proto__":"1","constructor":"2"}')
  const event = eventOf('rest', { [LISTS]: null, queryStringParameters: query, headers: query })

  expect(parametersOf(event)).toEqual(queryOf('__proto__=1&constructor=2'))
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
  [{ rawPath: undefined }, 'http-api', mustBe('rawPath')],
  [{ rawPath: 5 }, 'http-api', mustBe('rawPath')],
  [{ rawPath: null }, 'http-api', mustBe('rawPath')],
  [{ httpMethod: 5 }, 'rest', mustBe('httpMethod')],
  [{ headers: { 'accept-encoding': {} } }, 'http-api', mustBe('headers.accept-encoding')],
  [{ requestContext: { http: null }, rawPath: '/' }, 'http-api', mustBe('requestContext.http.method')],
  [{ requestContext: { http: {} } }, 'function-url', mustBe('requestContext.http.method')],
  [{ requestContext: {} }, 'http-api', mustBe('requestContext.http.method')],
  [{ rawQueryString: 5 }, 'http-api', mustBe('rawQueryString')],
  [{ rawQueryString: { limit: '5' } }, 'http-api', mustBe('rawQueryString')],
  [{ rawQueryString: '', queryStringParameters: '' }, 'http-api', mustBe('queryStringParameters', OBJECT)],
  [{ headers: 'accept: *' }, 'http-api', mustBe('headers', OBJECT)],
  [{ headers: { 'accept-encoding': 5 } }, 'http-api', mustBe('headers.accept-encoding')],
  [{ headers: { 'if-none-match': ['*'] } }, 'rest', mustBe('headers.if-none-match')],
  [{ pathParameters: { address: 5 } }, 'http-api', mustBe('pathParameters.address')],
  [{ pathParameters: { address: null } }, 'rest', mustBe('pathParameters.address')],
  [{ pathParameters: [ADDRESS] }, 'rest', mustBe('pathParameters', OBJECT)],
  [{ httpMethod: null }, 'rest', mustBe('httpMethod')],
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

test('all problems of an event are reported at once', () => {
  const { problems } = readHttpRequest({ requestContext: { http: 'GET' }, headers: 5, pathParameters: 'x' })

  const names = problems.map(({ parameter }) => parameter).sort()
  expect(names.join()).toBe('headers,pathParameters,rawPath,requestContext.http.method')
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
