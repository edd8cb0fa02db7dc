import type { EventRecord } from '../../../lib/events/record.ts'
import { nextUrl } from '../../support/http/ask.ts'
import { type ServedEvents, serveEvents } from '../../support/http/serve-events.ts'
import { eventsOf } from '../../support/http/walk.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { arrivals } from '../../support/records/arrivals.ts'
import { type ApiRequest, requestOfUrl, skipOf } from '../../support/requests/api-request.ts'
import { shapesOf } from '../../support/requests/plan-shapes.ts'
import { REQUEST_COUNT, SEED } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'

const RUNS = Math.ceil(REQUEST_COUNT / 1000)
/** While the pages are read, the rest of the events comes in so many parts. */
const BATCHES = 8
const PAGES = 12

const engine = useEngine()
const runs = Array.from({ length: RUNS }, (_, index) => ({ seed: SEED + index }))

describe.each(runs)('while events of seed $seed are written', ({ seed }) => {
  const { initial, batches } = arrivals(seed, BATCHES)
  const everything = [...initial, ...batches.flat()]
  const shapes = shapesOf(initial).map(([name, request]) => ({ name, request: paged(initial, request) }))
  let walked: EventRecord[][]

  beforeAll(async () => {
    const served = await serveEvents(engine, initial)
    walked = await walkWhileWriting(
      served,
      shapes.map(({ request }) => request),
      batches,
    )
  })

  test.each(shapes.map((shape, index) => ({ ...shape, index })))(
    'reading on by Link misses and repeats nothing: $name',
    ({ request, index }) => {
      const ids = (walked[index] ?? []).map(({ id }) => id)
      const readable = idsOf(initial, request).slice(skipOf(request))

      expect(ids).toEqual([...new Set(ids)])
      expect(readable.filter(id => !ids.includes(id))).toEqual([])
      expect(ids).toEqual(idsOf(everything, request).filter(id => ids.includes(id)))
      expect(
        idsOf(initial, request)
          .slice(0, skipOf(request))
          .filter(id => ids.includes(id)),
      ).toEqual([])
    },
  )

  test('some of the events that were written meanwhile are found', () => {
    const before = new Set(initial.map(({ id }) => id))

    expect(walked.flat().some(({ id }) => !before.has(id))).toBe(true)
  })
})

/** The request with a limit that cuts what is there now into about as many pages as are wanted. */
function paged(records: EventRecord[], request: ApiRequest): ApiRequest {
  const limit = Math.max(1, Math.ceil(idsOf(records, request).length / PAGES))
  return { ...request, query: [...request.query, ['limit', String(limit)]] }
}

function idsOf(records: EventRecord[], request: ApiRequest): string[] {
  return validAnswer(records, request).all.map(({ id }) => id)
}

/** Reads all requests' pages side by side, with a batch written between two pages, or while they are read. */
async function walkWhileWriting(
  served: ServedEvents,
  requests: ApiRequest[],
  batches: EventRecord[][],
): Promise<EventRecord[][]> {
  const walks = requests.map(request => ({
    next: request as ApiRequest | undefined,
    events: [] as EventRecord[],
  }))
  const readPages = () =>
    Promise.all(
      walks.map(async walk => {
        if (walk.next === undefined) return
        const page = await served.ask(walk.next, 'http-api')
        walk.events.push(...eventsOf(page))
        const url = nextUrl(page)
        walk.next = url === undefined ? undefined : requestOfUrl(url)
      }),
    )
  await readPages()
  for (let round = 0; walks.some(({ next }) => next !== undefined); round++) {
    const batch = batches[round] ?? []
    if (round % 2 === 0) await served.write(batch)
    await Promise.all([round % 2 === 0 ? undefined : served.write(batch), readPages()])
  }
  return walks.map(({ events }) => events)
}
