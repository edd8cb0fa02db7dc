import { createFallbackHandler } from '../../../lib/http/create-fallback-handler.ts'
import { ask, type LambdaHandler } from '../../support/http/ask.ts'
import { httpEvent, lambdaContext } from '../../support/http/http-events.ts'
import { tokenEvents } from '../../support/requests/api-request.ts'

const fallback = createFallbackHandler({}) as unknown as LambdaHandler
const statusOf = async (method: string, path: string) =>
  (await ask(fallback, tokenEvents(), { format: 'http-api', method, path })).status

test.each(['/foo/', '/foo/v1/token-events', '/foo/docs', '/foo/v1/status', '/foo/docs/'])(
  'at %s, which only ends like a path of the service, every method gets a 404',
  async path => {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS'])
      expect(await statusOf(method, path)).toBe(404)
  },
)

test.each(['/', '/v1/token-events', '/docs', '/llms.txt', '/v1/status'])(
  'at %s, methods that write get a 405',
  async path => {
    for (const method of ['POST', 'DELETE']) expect(await statusOf(method, path)).toBe(405)
    expect(await statusOf('OPTIONS', path)).toBe(204)
  },
)

test.each(['/dev/', '/dev/v1/token-events', '/dev/docs'])(
  'at %s, methods that write get a 405 if the path begins with the stage',
  async path => {
    const event = httpEvent(tokenEvents(), { format: 'http-api', method: 'POST', path })
    Object.assign(event.requestContext, { stage: 'dev' })

    expect(await fallback(event, lambdaContext())).toMatchObject({ statusCode: 405 })
  },
)

test('behind a REST API, which does not report a prefix of the path, methods that write get a 405', async () => {
  const answer = await ask(fallback, tokenEvents(), { format: 'rest', method: 'POST' })

  expect(answer.status).toBe(405)
})
