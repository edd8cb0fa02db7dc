import { createFallbackHandler } from '../../../lib/http/create-fallback-handler.ts'
import { createHandler } from '../../../lib/http/create-handler.ts'
import type { EventStore } from '../../../lib/query/event-store.ts'
import { createDocsHandler } from '../../../lib/site/docs/create-docs-handler.ts'
import { createStatusHandler } from '../../../lib/site/status/create-status-handler.ts'
import type { LambdaHandler } from '../../support/http/ask.ts'
import { httpEvent, LAMBDA_REQUEST_ID, lambdaContext } from '../../support/http/http-events.ts'
import { checkContract } from '../../support/oracle/check-contract.ts'
import { parametersOf } from '../../support/oracle/problems-of.ts'
import { tokenEvents, userEvents } from '../../support/requests/api-request.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const cost = { calls: 1, examined: 0, readUnits: 0.5 }
const emptyStore: EventStore = {
  readList: async () => ({ rows: [], count: 0, examinedThrough: undefined, ...cost }),
  loadRecords: async () => ({ records: [], ...cost }),
  readBlockTime: async () => ({ seconds: undefined, ...cost }),
  readCheckpoints: async () => ({ written: new Set(), indexed: [], ...cost }),
}

const handlers = {
  'user-events': createHandler('user-events', { store: emptyStore }),
  'token-events': createHandler('token-events', { store: emptyStore }),
  docs: createDocsHandler({ readAsset: async () => '{}' }),
  status: createStatusHandler({
    version: '1.2.3',
    readIndexedThrough: async () => ({ networks: [], ...cost }),
    readAsset: async () => '',
  }),
  fallback: createFallbackHandler({}),
} as unknown as Record<'user-events' | 'token-events' | 'docs' | 'status' | 'fallback', LambdaHandler>

type Result = { statusCode: number; headers: Record<string, string>; body: string }

/** Throws if the response violates the OpenAPI document. */
async function answerOf(name: keyof typeof handlers, event: object) {
  const { statusCode, headers, body } = (await handlers[name](event, lambdaContext())) as Result
  const inLowerCase = Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value])
  const sent = { status: statusCode, headers: Object.fromEntries(inLowerCase), text: body }
  checkContract({ method: 'GET', path: '/v1/token-events', ...sent })
  return { status: statusCode, headers, body: JSON.parse(body) }
}

test.each(['user-events', 'token-events', 'docs', 'status', 'fallback'] as const)(
  'for %s, an event that no gateway sends gets a 400',
  async name => {
    const event = Object.assign(httpEvent(tokenEvents(), { format: 'http-api' }), {
      rawPath: null,
      headers: 5,
    })
    const { status, headers, body } = await answerOf(name, event)

    expect([status, parametersOf(body.errors).toSorted()]).toEqual([400, ['headers', 'rawPath']])
    expect(body).toMatchObject({ instance: LAMBDA_REQUEST_ID })
    expect(body.type).toMatch(/#invalid-query$/)
    expect(headers).toMatchObject({ 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' })
  },
)

/** https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html */
test.each([
  ['single values', { queryStringParameters: { event: '%4Dinted' }, headers: { host: 'lb' } }],
  [
    'lists',
    { multiValueQueryStringParameters: { event: ['%4Dinted'] }, multiValueHeaders: { host: ['lb'] } },
  ],
])('a load balancer’s event with %s is refused', async (_, parts) => {
  const elb = { targetGroupArn: 'arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/events/1' }
  const event = { requestContext: { elb }, httpMethod: 'GET', path: '/v1/token-events', body: '', ...parts }
  const { status, body } = await answerOf('token-events', event)

  expect([status, parametersOf(body.errors)]).toEqual([400, ['requestContext.elb']])
})

test('the function of token-events does not ignore the address of user-events', async () => {
  const event = httpEvent(userEvents(ADDRESS), { format: 'http-api' })

  expect((await answerOf('token-events', event)).status).toBe(404)
})

describe('an event that names no host', () => {
  const requestContext = { http: { method: 'GET' } }
  const withoutHost = (rawPath: string, rawQueryString = '') => ({ rawPath, rawQueryString, requestContext })

  test('has a problem whose type is relative', async () => {
    const { body } = await answerOf('token-events', withoutHost('/dev/v1/token-events', 'limit=0'))

    expect(body.type).toBe('/dev/docs#invalid-query')
  })

  test('gets the documentation', async () => {
    const answers = ['/docs', '/v1/openapi.json', '/dev/llms.txt'].map(path =>
      handlers.docs(withoutHost(path), lambdaContext()),
    )
    const [page, document, text] = (await Promise.all(answers)) as [Result, Result, Result]

    expect([page.statusCode, text.statusCode]).toEqual([200, 200])
    expect(page.headers['Content-Security-Policy']).toContain("connect-src 'self';")
    expect(JSON.parse(document.body)).toMatchObject({ servers: [{ url: '/' }] })
  })
})
