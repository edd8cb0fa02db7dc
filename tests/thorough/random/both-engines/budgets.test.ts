import fc from 'fast-check'
import { type Answer, type AnswerOptions, answerQuery } from '../../../../lib/query/answer-query.ts'
import { StoreUnavailableError } from '../../../../lib/query/errors.ts'
import type { EventStore } from '../../../../lib/query/event-store.ts'
import { createDynamoEventStore } from '../../../../lib/store/reading/dynamo-event-store.ts'
import { validAnswer } from '../../../support/oracle/valid-answer.ts'
import { queryInputOf } from '../../../support/query/query-input-of.ts'
import { resumedAt, walkAnswers } from '../../../support/query/walk-answers.ts'
import { eventSetOf } from '../../../support/records/arbitrary-records.ts'
import {
  type ApiRequest,
  limitOf,
  skipOf,
  tokenEvents,
  withoutParameters,
} from '../../../support/requests/api-request.ts'
import { requestsOn } from '../../../support/requests/arbitrary-requests.ts'
import { shapesOf } from '../../../support/requests/plan-shapes.ts'
import { REQUEST_COUNT, SEED } from '../../../support/runner/test-size.ts'
import { useEngine } from '../../../support/store/engine.ts'

const RUNS = Math.ceil(REQUEST_COUNT / 5)
type Limits = NonNullable<AnswerOptions['limits']>

/**
 * Limits that are mostly so tight that pages are partial, and that a request can end before it has skipped all records.
 */
const budgets = fc.record({
  readUnits: fc.constantFrom(0.5, 1, 3, 1000),
  roundTrips: fc.constantFrom(1, 2, 3, 40),
  bodyBytes: fc.constantFrom(1, 3_000, 20_000, 5_000_000),
})

/**
 * The size of a record in the answer's format, which differs from the stored format. With the limits above, an answer
 * has room for one record, some records or all records.
 */
const recordBytes = fc
  .option(fc.constantFrom(1, 700, 2_000, 1_000_000), { nil: undefined })
  .map(bytes => (bytes === undefined ? undefined : () => bytes))

/**
 * The limits above, or a store whose calls end after `rowsPerCall` rows, as DynamoDB's calls end after a megabyte. Such
 * a store gets wider limits, because a single step may take several calls.
 */
const shortages = fc.oneof(
  fc.record({ limits: budgets, rowsPerCall: fc.constant(Number.POSITIVE_INFINITY) }),
  fc.record({
    limits: fc.record({
      readUnits: fc.constant(1000),
      roundTrips: fc.constantFrom(12, 40, 1000),
      bodyBytes: fc.constantFrom(20_000, 5_000_000),
    }),
    rowsPerCall: fc.constantFrom(1, 2, 3, 7, 50),
  }),
)

const engine = useEngine()

describe(`with budgets that run out, on the random events of seed ${SEED}`, () => {
  const records = eventSetOf({ blocks: 6, events: 3, crowd: 60 }, SEED)
  let store: EventStore

  beforeAll(async () => {
    const tableName = await engine.createEventsTable(records)
    store = createDynamoEventStore({ client: engine.reader, tableName })
  })

  const within = (limits: Limits) => () => ({ store, limits })

  /** The clock reaches the time limit after this many calls to the store. */
  function untilAsked(times: number) {
    let asked = 0
    const readList: EventStore['readList'] = (...reading) => {
      asked += 1
      return store.readList(...reading)
    }
    return { store: { ...store, readList }, timeLeftMs: () => (asked < times ? 10_000 : 0) }
  }

  function expectWhole(request: ApiRequest, pages: Answer[]) {
    const expected = validAnswer(records, request)
    expect(pages.flatMap(page => page.records)).toEqual(expected.all.slice(skipOf(request)))
    let isRest = false
    for (const { records: found, isPartial, next } of pages.toReversed()) {
      expect(isPartial || found.length === limitOf(request) || next === undefined).toBe(true)
      expect(isPartial || (next !== undefined) === isRest).toBe(true)
      isRest ||= found.length > 0
    }
    expect(pages.at(-1)?.isPartial).toBe(false)
  }

  test.each(shapesOf(records))('pages of one round trip add up to the whole: %s', async (_name, request) => {
    const pages = await walkAnswers(request, within({ readUnits: 0.5, roundTrips: 1, bodyBytes: 5_000_000 }))
    expectWhole(request, pages)
  })

  test('pages add up to the whole, whatever ran out, for random requests', async () => {
    const drawn = fc.record({ request: requestsOn(records), shortage: shortages, bytesOf: recordBytes })
    await fc.assert(
      fc.asyncProperty(drawn, async ({ request, shortage: { limits, rowsPerCall }, bytesOf }) => {
        const stoppingShort: EventStore = {
          ...store,
          readList: reading => store.readList({ ...reading, limit: Math.min(reading.limit, rowsPerCall) }),
        }
        expectWhole(request, await walkAnswers(request, () => ({ store: stoppingShort, limits, bytesOf })))
      }),
      { numRuns: RUNS, seed: SEED },
    )
  })

  describe.each(shapesOf(records))('when time runs out: %s', (_name, request) => {
    const deep: ApiRequest = {
      ...request,
      query: [...withoutParameters(request.query, 'skip'), ['skip', '51']],
    }

    test('before anything is read there is no page, which would lead on to itself', async () => {
      const [page] = await walkAnswers(request, within({ readUnits: 0.5, roundTrips: 1, bodyBytes: 1 }))
      const resumed = page?.next === undefined ? [] : [resumedAt(request, page.next)]
      for (const asked of [request, deep, ...resumed]) {
        await expect(answerQuery(queryInputOf(asked), untilAsked(0))).rejects.toThrow(StoreUnavailableError)
      }
    })

    test('after something was read or skipped pages lead on, and add up to the whole', async () => {
      expectWhole(deep, await walkAnswers(deep, () => untilAsked(1)))
    })
  })

  test('what is answered without reading needs no time', async () => {
    const nobody = tokenEvents([['transactionHash', 'x'.repeat(66)]])

    expect(await answerQuery(queryInputOf(nobody), untilAsked(0))).toMatchObject({
      records: [],
      isPartial: false,
    })
  })
})
