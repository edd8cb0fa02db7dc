import type { EventRecord } from '../../../../lib/events/record.ts'
import { type HttpAnswer, nextUrl } from '../../../support/http/ask.ts'
import { type ServedEvents, serveEvents } from '../../../support/http/serve-events.ts'
import { eventsOf, walkByLink } from '../../../support/http/walk.ts'
import { validAnswer } from '../../../support/oracle/valid-answer.ts'
import { eventSetOf } from '../../../support/records/arbitrary-records.ts'
import { type ApiRequest, requestOfUrl, skipOf } from '../../../support/requests/api-request.ts'
import { shapesOf } from '../../../support/requests/plan-shapes.ts'
import { REQUEST_COUNT, SEED } from '../../../support/runner/test-size.ts'
import { useEngine } from '../../../support/store/engine.ts'

const RUNS = Math.ceil(REQUEST_COUNT / 1000)
/** A walk has about this many pages. */
const PAGES = 12

const engine = useEngine()
const idsOf = (records: readonly EventRecord[], request: ApiRequest) =>
  validAnswer(records, request).all.map(({ id }) => id)

describe.each(Array.from({ length: RUNS }, (_, index) => SEED + index))('with events of seed %i', seed => {
  const everything = eventSetOf({ blocks: 14, events: 5, crowd: 40 }, seed)
  /** The other events are written after the first page of each walk. */
  const early = everything.filter((_, index) => index % 2 === 0)
  const shapes = shapesOf(early).map(([name, request], index) => {
    const limit = Math.ceil(idsOf(early, request).length / PAGES) || 1
    const query: ApiRequest['query'] = [...request.query, ['limit', `${limit}`]]
    return { name, request: { ...request, query }, index }
  })
  let served: ServedEvents
  let firstPages: HttpAnswer[]

  beforeAll(async () => {
    served = await serveEvents(engine, early)
    firstPages = await Promise.all(shapes.map(({ request }) => served.ask(request, 'http-api')))
    await served.write(everything)
  })

  test.each(shapes)(
    'a walk during which events are written misses and repeats nothing: $name',
    async shape => {
      const { request, index } = shape
      const first = firstPages[index] as HttpAnswer
      const url = nextUrl(first)
      const rest =
        url === undefined ? [] : await walkByLink(served, requestOfUrl(url), { format: 'http-api' })
      const ids = [first, ...rest].flatMap(eventsOf).map(({ id }) => id)
      const before = idsOf(early, request)

      expect(ids).toEqual(idsOf(everything, request).filter(id => ids.includes(id)))
      expect(before.slice(skipOf(request)).filter(id => !ids.includes(id))).toEqual([])
      expect(before.slice(0, skipOf(request)).filter(id => ids.includes(id))).toEqual([])
    },
  )
})
