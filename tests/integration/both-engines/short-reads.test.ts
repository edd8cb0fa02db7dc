import fc from 'fast-check'
import type { EventRecord } from '../../../lib/events/record.ts'
import { type Answer, answerQuery } from '../../../lib/query/answer-query.ts'
import { DEFAULT_LIMITS } from '../../../lib/query/budget.ts'
import type { EventStore } from '../../../lib/query/event-store.ts'
import { createDynamoEventStore } from '../../../lib/store/dynamo-event-store.ts'
import { writeEvents } from '../../../lib/store/write-events.ts'
import { answer } from '../../support/oracle/oracle.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { type ApiRequest, withoutParameters } from '../../support/requests/api-request.ts'
import { requestsOn } from '../../support/requests/arbitrary-requests.ts'
import { REQUEST_COUNT, SEED } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'

const RUNS = Math.ceil(REQUEST_COUNT / 5)
const MAX_PAGES = 400

const engine = useEngine()

describe(`where a call to the store finds less than it was asked for, on the random events of seed ${SEED}`, () => {
  const records = eventSetOf({ blocks: 14, events: 5, crowd: 30 }, SEED)
  let store: EventStore

  beforeAll(async () => {
    const { client } = engine
    const tableName = await engine.createEventsTable()
    await writeEvents({ client, tableName }, records)
    store = createDynamoEventStore({ client, tableName })
  }, 60_000)

  const shortage = fc.record({
    rowsPerCall: fc.constantFrom(1, 2, 3, 7, 50),
    roundTrips: fc.constantFrom(12, 40, 1000),
  })

  test(
    'its pages lead on to every record once, in order',
    async () => {
      const drawn = fc.record({ request: requestsOn(records), shortage })
      await fc.assert(
        fc.asyncProperty(drawn, async ({ request, shortage: { rowsPerCall, roundTrips } }) => {
          const expected = expectedOf(records, request)
          const limits = { ...DEFAULT_LIMITS, roundTrips }
          const pages = await walk(request, { store: stoppingShort(store, rowsPerCall), limits })

          expect(pages.flatMap(page => page.records)).toEqual(expected)
          pages.forEach((page, index) => {
            const rest = pages.slice(index + 1).flatMap(later => later.records)
            expect(page.isPartial || page.records.length === limitOf(request) || rest.length === 0).toBe(true)
            expect(page.next === undefined || page.isPartial || rest.length > 0).toBe(true)
          })
        }),
        { seed: SEED, numRuns: RUNS },
      )
    },
    60_000 + RUNS * 1_000,
  )
})

function expectedOf(records: EventRecord[], request: ApiRequest): EventRecord[] {
  const expected = answer(records, request)
  if (expected.status !== 200) throw new Error(`Not a valid request: ${JSON.stringify(request)}`)
  return expected.all.slice(Number(request.query.find(([name]) => name === 'skip')?.[1] ?? 0))
}

const limitOf = ({ query }: ApiRequest) =>
  Math.min(Number(query.find(([name]) => name === 'limit')?.[1] ?? 50), 500)

/** A store whose calls end early, as DynamoDB's do after a megabyte. */
const stoppingShort = (store: EventStore, rowsPerCall: number): EventStore => ({
  ...store,
  readList: reading => store.readList({ ...reading, limit: Math.min(reading.limit, rowsPerCall) }),
})

type Shortage = Required<Pick<Parameters<typeof answerQuery>[1], 'store' | 'limits'>>

async function walk({ endpoint, address, query }: ApiRequest, options: Shortage): Promise<Answer[]> {
  const pages: Answer[] = []
  for (let parameters = query; pages.length < MAX_PAGES; ) {
    const user = address === undefined ? {} : { user: address }
    const page = await answerQuery({ endpoint, ...user, parameters }, options)
    pages.push(page)
    if (page.next === undefined) return pages
    parameters = [...withoutParameters(parameters, 'skip', 'cursor'), ['cursor', page.next]]
  }
  throw new Error(`More than ${MAX_PAGES} pages`)
}
