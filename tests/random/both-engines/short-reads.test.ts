import fc from 'fast-check'
import { DEFAULT_LIMITS } from '../../../lib/query/budget.ts'
import type { EventStore } from '../../../lib/query/event-store.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { walkAnswers } from '../../support/query/walk-answers.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { limitOf, skipOf } from '../../support/requests/api-request.ts'
import { requestsOn } from '../../support/requests/arbitrary-requests.ts'
import { REQUEST_COUNT, SEED } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'

const RUNS = Math.ceil(REQUEST_COUNT / 5)

const engine = useEngine()

describe(`where a call to the store finds less than it was asked for, on the random events of seed ${SEED}`, () => {
  const records = eventSetOf({ blocks: 14, events: 5, crowd: 30 }, SEED)
  let store: EventStore

  beforeAll(async () => {
    const tableName = await engine.createEventsTable()
    await writeEvents({ client: engine.client, tableName }, records)
    store = createDynamoEventStore({ client: engine.reader, tableName })
  })

  const shortage = fc.record({
    rowsPerCall: fc.constantFrom(1, 2, 3, 7, 50),
    roundTrips: fc.constantFrom(12, 40, 1000),
  })

  test('its pages lead on to every record once, in order', async () => {
    const drawn = fc.record({ request: requestsOn(records), shortage })
    await fc.assert(
      fc.asyncProperty(drawn, async ({ request, shortage: { rowsPerCall, roundTrips } }) => {
        const expected = validAnswer(records, request).all.slice(skipOf(request))
        const limits = { ...DEFAULT_LIMITS, roundTrips }
        const shortened = { store: stoppingShort(store, rowsPerCall), limits }
        const pages = await walkAnswers(request, () => shortened)

        expect(pages.flatMap(page => page.records)).toEqual(expected)
        pages.forEach((page, index) => {
          const rest = pages.slice(index + 1).flatMap(later => later.records)
          expect(page.isPartial || page.records.length === limitOf(request) || rest.length === 0).toBe(true)
          expect(page.next === undefined || page.isPartial || rest.length > 0).toBe(true)
        })
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })
})

/** A store whose calls end early, as DynamoDB's calls do after a megabyte. */
const stoppingShort = (store: EventStore, rowsPerCall: number): EventStore => ({
  ...store,
  readList: reading => store.readList({ ...reading, limit: Math.min(reading.limit, rowsPerCall) }),
})
