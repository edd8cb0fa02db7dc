import { createFallbackHandler } from '../../../lib/http/create-fallback-handler.ts'
import type { LambdaHandler } from '../../support/http/ask.ts'
import { type Format, httpEvent, lambdaContext } from '../../support/http/http-events.ts'
import { tokenEvents } from '../../support/requests/api-request.ts'

const fallback = createFallbackHandler({}) as unknown as LambdaHandler

async function statusesOf(methods: string, options: { path?: string; format?: Format; stage?: string }) {
  const { path, format = 'http-api', stage } = options
  const answers = methods.split(' ').map(async method => {
    const event = httpEvent(tokenEvents(), { format, method, ...(path && { path }) })
    if (stage) Object.assign(event.requestContext, { stage })
    return ((await fallback(event, lambdaContext())) as { statusCode: number }).statusCode
  })
  return new Set(await Promise.all(answers))
}

test.each(['/foo/', '/foo/v1/token-events', '/foo/docs', '/foo/v1/status', '/foo/docs/'])(
  'at %s, which only ends like a path of the service, every method gets a 404',
  async path => {
    expect(await statusesOf('GET HEAD POST DELETE OPTIONS', { path })).toEqual(new Set([404]))
  },
)

test.each([
  ...['/', '/v1/token-events', '/docs', '/llms.txt', '/v1/status'].map(path => ({ path })),
  ...['/dev/', '/dev/v1/token-events', '/dev/docs'].map(path => ({ path, stage: 'dev' })),
  // A REST API does not report a prefix of the path.
  { format: 'rest' as const },
])('with %j, methods that write get a 405, and browsers may ask first', async options => {
  expect(await statusesOf('POST DELETE', options)).toEqual(new Set([405]))
  expect(await statusesOf('OPTIONS', options)).toEqual(new Set([204]))
})
