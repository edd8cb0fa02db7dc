import fc from 'fast-check'
import { NETWORKS } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { type HttpAnswer, nextUrl } from '../../support/http/ask.ts'
import { BASE_URLS, FORMATS, type Format } from '../../support/http/http-events.ts'
import { useServedEvents } from '../../support/http/serve-events.ts'
import { eventsOf, walkByLink } from '../../support/http/walk.ts'
import { countRecords, expectPages } from '../../support/oracle/expect-pages.ts'
import { answer, type Finality } from '../../support/oracle/oracle.ts'
import { parametersOf, problemsOf } from '../../support/oracle/problems-of.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { type ApiRequest, pathOf, skipOf, withoutParameters } from '../../support/requests/api-request.ts'
import { inAnyFormat, requestsOn } from '../../support/requests/arbitrary-requests.ts'
import { spoiled } from '../../support/requests/spoiled-requests.ts'
import { REQUEST_COUNT, SEED } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'

/** Many requests share a set of events, because a set costs seconds to write and a request costs milliseconds. */
const REQUESTS_PER_SET = 500
const SETS = Math.max(2, Math.ceil(REQUEST_COUNT / REQUESTS_PER_SET))
const RUNS = Math.ceil(REQUEST_COUNT / SETS)
const WALKS = Math.ceil(RUNS / 10)

/** In every third set, one block has more events than a page can contain. */
const CROWD = 520

const engine = useEngine()

const sets = [
  ...Array.from({ length: SETS }, (_, index) => ({
    seed: SEED + index,
    crowd: index % 3 === 0 ? CROWD : 0,
    networks: NETWORKS,
  })),
  { seed: SEED, crowd: 0, networks: NETWORKS.slice(1, 2) },
  { seed: SEED, crowd: 0, networks: NETWORKS.slice(1, 4) },
]

describe.each(sets)(
  'for the random events of seed $seed on $networks.length networks, $crowd more of them in one block',
  ({ seed, crowd, networks }) => {
    const blocks = Math.round((10 * NETWORKS.length) / networks.length)
    const all = eventSetOf({ blocks, events: 4, crowd }, seed)
    const records = all.filter(({ network }) => networks.includes(network))
    const finality = finalityOf(records)
    const requests = inAnyFormat(requestsOn(records, finality))
    const format = fc.constantFrom(...FORMATS)
    const of = networks === NETWORKS ? undefined : networks
    const served = useServedEvents(engine, records, { finality, networks: of })

    const forAny = <T>(values: fc.Arbitrary<T>, numRuns: number, check: (value: T) => Promise<void>) =>
      fc.assert(fc.asyncProperty(values, check), { seed, numRuns })

    test('every answer is the one that filtering, sorting and slicing all events gives', async () => {
      await forAny(fc.record({ request: requests, format }), RUNS, async ({ request, format }) => {
        expectAnswer(await served.ask(request, format), { records, finality, request, format })
      })
    })

    test('a request with wrong parameters is refused for exactly those', async () => {
      await forAny(fc.record({ request: spoiled(requests), format }), RUNS, async ({ request, format }) => {
        expectAnswer(await served.ask(request, format), { records, finality, request, format })
      })
    })

    test('reading on by Link returns every record once, in order', async () => {
      await forAny(fc.record({ request: requests, format }), WALKS, async ({ request, format }) => {
        const { all, format: asked } = validAnswer(records, request, finality)
        const expected = all.slice(skipOf(request))
        const size = pageSize(expected.length)
        const query = withoutParameters(request.query, 'limit', 'count')
        const paged: ApiRequest = { ...request, query: [...query, ['limit', `${size}`]] }
        const pages = await walkByLink(served, paged, { format })

        expectPages(pages, { records: expected, format: asked })
        expect(pages.slice(0, -1).map(countRecords)).toEqual(pages.slice(1).map(() => size))
      })
    })

    test('direct invocation returns the same records, and a cursor that goes on', async () => {
      await forAny(fc.record({ request: requests, asValues: fc.boolean() }), WALKS, async drawn => {
        const expected = validAnswer(records, drawn.request, finality)
        const result = (await served.invoke(drawn.request, drawn.asValues)) as DirectAnswer

        expect(result).toEqual({
          events: expected.events,
          next: result.next,
          partial: false,
          ...(isCounted(drawn.request) && { total: expected.all.length }),
          ...(expected.unmatchable.length > 0 && { unmatchable: expected.unmatchable }),
        })
        expect(typeof result.next).toBe(expected.more ? 'string' : 'object')
        if (result.next === null) return
        const query = withoutParameters(drawn.request.query, 'skip', 'limit', 'format')
        const resumed: ApiRequest['query'] = [...query, ['limit', '7'], ['cursor', result.next]]
        const next = { ...drawn.request, query: resumed }
        const behind = expected.all.indexOf(expected.events.at(-1) as EventRecord) + 1
        expect(await served.invoke(next)).toMatchObject({ events: expected.all.slice(behind, behind + 7) })
        expect(eventsOf(await served.ask(next, 'http-api'))).toEqual(expected.all.slice(behind, behind + 7))
      })
    })
  },
)

/** Every network except one has a known finalized block, in which the network has an event. */
function finalityOf(records: EventRecord[]): Finality {
  const byNetwork = [...Map.groupBy(records, ({ network }) => network)].slice(1)
  return Object.fromEntries(
    byNetwork.map(([network, events]) => [network, events[Math.floor(events.length / 2)]?.blockNumber ?? 0]),
  )
}

const isCounted = ({ query }: ApiRequest) =>
  query.some(([name, value]) => name === 'count' && value === 'true')

type DirectAnswer = { events: EventRecord[]; next: string | null; partial: boolean }

const pageSize = (count: number) => Math.max(1, Math.ceil(count / 5))

type Asked = { records: EventRecord[]; finality: Finality; request: ApiRequest; format: Format }

function expectAnswer(page: HttpAnswer, { records, finality, request, format }: Asked) {
  const expected = answer(records, request, finality)
  if (expected.status === 400) {
    expect(parametersOf(problemsOf(page))).toEqual(expected.parameters)
    return
  }
  expect(page.status).toBe(200)
  expectPages([page], { records: expected.events, format: expected.format })
  expect(page.headers).not.toHaveProperty('x-partial')
  expect(page.headers['x-unmatchable']).toBe(expected.unmatchable.join(', ') || undefined)
  expect(page.headers['x-total-count']).toBe(isCounted(request) ? String(expected.all.length) : undefined)
  const url = nextUrl(page)
  expect(url !== undefined).toBe(expected.more)
  if (url !== undefined) expectNextOf(request, { url, format })
}

/** Expects the URL to be the request's, with `cursor` instead of `skip`. */
function expectNextOf(request: ApiRequest, { url, format }: { url: string; format: Format }) {
  const { origin, pathname, searchParams } = new URL(url)
  const given = withoutParameters(request.query, 'skip')
  expect(`${origin}${pathname}`).toBe(`${BASE_URLS[format]}${pathOf(request)}`)
  expect(withoutParameters([...searchParams], 'cursor').toSorted()).toEqual(given.toSorted())
  expect(searchParams.getAll('cursor')).toEqual([expect.stringMatching(/^[\w-]+$/)])
}
