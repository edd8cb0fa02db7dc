import { httpEvent } from '../../support/http/http-events.ts'
import { tokenEvents, userEvents } from '../../support/requests/api-request.ts'

const request = tokenEvents([
  ['blockNumber', '1'],
  ['blockNumber', 'desc'],
])

test('payload 2.0 joins repeated parameters with commas and keeps the raw query', () => {
  expect(httpEvent(request, { format: 'http-api' })).toMatchObject({
    rawQueryString: 'blockNumber=1&blockNumber=desc',
    queryStringParameters: { blockNumber: '1,desc' },
  })
})

test('payload 1.0 keeps the last of them, and all in a list', () => {
  expect(httpEvent(request, { format: 'rest' })).toMatchObject({
    queryStringParameters: { blockNumber: 'desc' },
    multiValueQueryStringParameters: { blockNumber: ['1', 'desc'] },
    path: '/v1/token-events',
    requestContext: { path: '/prod/v1/token-events' },
  })
})

test('a request without a query has none in either payload', () => {
  expect(httpEvent(tokenEvents(), { format: 'http-api' })).not.toHaveProperty('queryStringParameters')
  expect(httpEvent(tokenEvents(), { format: 'rest' })).toMatchObject({
    multiValueQueryStringParameters: null,
  })
})

test('a function URL tells of the address in its path only', () => {
  const event = httpEvent(userEvents('0xab'), { format: 'function-url' })

  expect(event).toMatchObject({ routeKey: '$default', rawPath: '/v1/user-events/0xab' })
  expect(event).not.toHaveProperty('pathParameters')
})
