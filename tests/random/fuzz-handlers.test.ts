import fc from 'fast-check'
import { createFallbackHandler } from '../../lib/http/create-fallback-handler.ts'
import { InvalidQueryError } from '../../lib/query/errors.ts'
import { ask, type LambdaHandler } from '../support/http/ask.ts'
import { FORMATS } from '../support/http/http-events.ts'
import { useServedEvents } from '../support/http/serve-events.ts'
import { expectSane } from '../support/oracle/expect-sane.ts'
import { eventSetOf } from '../support/records/arbitrary-records.ts'
import { tokenEvents, userEvents } from '../support/requests/api-request.ts'
import { hostilePayloads, hostileQueries, hostileRequests } from '../support/requests/hostile-requests.ts'
import { NASTY_CASES, NASTY_PAYLOADS } from '../support/requests/nasty-cases.ts'
import { FUZZ_COUNT, SEED } from '../support/runner/test-size.ts'
import { useEngine } from '../support/store/engine.ts'

const engine = useEngine()
const fallback = createFallbackHandler({}) as unknown as LambdaHandler
const served = useServedEvents(engine, eventSetOf({ blocks: 4, events: 2 }, 3))

const forAny = <T>(values: fc.Arbitrary<T>, share: number, check: (value: T) => Promise<void>) =>
  fc.assert(fc.asyncProperty(values, check), { seed: SEED, numRuns: Math.ceil(FUZZ_COUNT * share) })

describe(`hostile input of seed ${SEED}`, () => {
  test('is answered with events or with what is wrong, whatever the parts of a query are', () =>
    forAny(hostileQueries, 0.6, async ({ request, options }) => {
      expectSane(await served.ask(request, options), [200, 400])
    }))

  test('is answered as unknown or not allowed where it asks for something else', () =>
    forAny(hostileRequests, 0.2, async ({ request, options }) => {
      expectSane(await served.ask(request, options), [200, 204, 400, 404, 405])
      expectSane(await ask(fallback, request, options), [204, 404, 405])
    }))

  test('in a direct call gets an answer, or an error that says what is wrong', () =>
    forAny(fc.record({ payload: hostilePayloads, isUser: fc.boolean() }), 0.2, ({ payload, isUser }) =>
      expectDirect(isUser, payload),
    ))
})

async function expectDirect(isUser: boolean, payload: unknown) {
  const endpoint = isUser ? 'user-events' : 'token-events'
  const answer = await served.invokeWith(endpoint, payload).catch((error: Error) => error)
  if (answer instanceof InvalidQueryError) {
    expect(answer.problems.length).toBeGreaterThan(0)
    expect(answer.message.length).toBeLessThan(100_000)
  } else if (answer instanceof Error) {
    expect(answer.name).toBe('SmokeCheckFailed')
  } else {
    const { events, next, partial, ...others } = answer as Record<string, unknown>
    expect([events, typeof partial, next === null || typeof next === 'string']).toEqual([
      expect.any(Array),
      'boolean',
      true,
    ])
    expect(['total', 'totalAtLeast', 'unmatchable']).toEqual(expect.arrayContaining(Object.keys(others)))
  }
}

describe.each(FORMATS)('a nasty request (%s)', format => {
  const cases = NASTY_CASES.filter(({ path }) => format === 'function-url' || path.startsWith('/v1/'))

  test.each(cases)('is answered with $status: $because', async ({ path, rawQuery = '', status, ...rest }) => {
    const [, address] = /^\/v1\/user-events\/([^/]+)$/.exec(path) ?? []
    const request = address === undefined ? tokenEvents() : userEvents(decodeURIComponent(address))
    const options = { ...rest, format, path, rawQuery }
    const isRouted = address !== undefined || path === '/v1/token-events'
    const isOurs = isRouted && (rest.method ?? 'GET') === 'GET'
    const answer = await (isOurs ? served.ask(request, options) : ask(fallback, request, options))

    expectSane(answer, [status])
  })
})

test.each(NASTY_PAYLOADS)(
  'a nasty payload fails with what is wrong, or is answered: %s',
  async (_, payload) => {
    await expectDirect(false, payload)
    await expectDirect(true, payload)
  },
)
