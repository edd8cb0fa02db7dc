import fc from 'fast-check'
import type { EventRecord } from '../../lib/events/record.ts'
import { type Answer, answerQuery } from '../../lib/query/answer-query.ts'
import type { Budget } from '../../lib/query/budget.ts'
import type { QueryInput } from '../../lib/query/parse-query.ts'
import { createDynamoEventStore } from '../../lib/store/dynamo-event-store.ts'
import type { EventTable } from '../../lib/store/event-table.ts'
import { writeEvents } from '../../lib/store/write-events.ts'
import { answer as oracleAnswer } from '../support/oracle/oracle.ts'
import { eventSetOf } from '../support/records/arbitrary-records.ts'
import { type ApiRequest, withoutParameters } from '../support/requests/api-request.ts'
import { requestsOn } from '../support/requests/arbitrary-requests.ts'
import { shapesOf } from '../support/requests/plan-shapes.ts'
import { REQUEST_COUNT, SEED } from '../support/runner/test-size.ts'
import { useEngine } from '../support/store/engine.ts'

const RUNS = Math.ceil(REQUEST_COUNT / 10)
const MAX_PAGES = 3_000

/** So tight that nearly every page is cut, while skipping too. */
const budgets = fc.record({
  readUnits: fc.constantFrom(0.5, 1, 3, 1000),
  roundTrips: fc.constantFrom(1, 2, 3, 40),
  bodyBytes: fc.constantFrom(1, 3_000, 20_000, 5_000_000),
})

const engine = useEngine()

describe(`with budgets that run out, on the random events of seed ${SEED}`, () => {
  const records = eventSetOf({ blocks: 6, events: 3, crowd: 60 }, SEED)
  let table: EventTable

  beforeAll(async () => {
    table = { client: engine.client, tableName: await engine.createEventsTable() }
    await writeEvents(table, records)
  })

  async function walk(request: ApiRequest, limits: Omit<Budget, 'timeLeftMs'>): Promise<Answer[]> {
    const store = createDynamoEventStore(table)
    const input: QueryInput = {
      endpoint: request.endpoint,
      parameters: request.query,
      ...(request.address !== undefined && { user: request.address }),
    }
    const pages = [await answerQuery(input, { store, limits })]
    for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) {
      if (pages.length > MAX_PAGES) throw new Error(`No end after ${MAX_PAGES} pages`)
      const parameters: [string, string][] = [...withoutParameters(request.query, 'skip'), ['cursor', next]]
      pages.push(await answerQuery({ ...input, parameters }, { store, limits }))
    }
    return pages
  }

  function expectWhole(request: ApiRequest, pages: Answer[]) {
    const expected = oracleAnswer(records, request)
    if (expected.status !== 200) throw new Error('Only valid requests are asked')
    const skip = Number(request.query.find(([name]) => name === 'skip')?.[1] ?? 0)
    const limit = Math.min(Number(request.query.find(([name]) => name === 'limit')?.[1] ?? 50), 500)
    expect(idsOf(pages.flatMap(page => page.records))).toEqual(idsOf(expected.all.slice(skip)))
    const short = pages.filter(page => page.records.length < limit && page.next !== undefined)
    expect(short.every(({ isPartial }) => isPartial)).toBe(true)
    expect(pages.at(-1)?.isPartial).toBe(false)
  }

  test.each(shapesOf(records))('pages of one round trip add up to the whole: %s', async (_name, request) => {
    const pages = await walk(request, { readUnits: 0.5, roundTrips: 1, bodyBytes: 5_000_000 })
    expectWhole(request, pages)
  })

  test('pages add up to the whole, whatever ran out, for random requests', async () => {
    await fc.assert(
      fc.asyncProperty(requestsOn(records), budgets, async (request, limits) => {
        expectWhole(request, await walk(request, limits))
      }),
      { numRuns: RUNS, seed: SEED },
    )
  }, 300_000)

  test('a request whose time is over returns at once with a cursor', async () => {
    const { endpoint, parameters } = { endpoint: 'token-events' as const, parameters: [] }
    const store = createDynamoEventStore(table)
    const {
      records: found,
      isPartial,
      next,
      ledger,
    } = await answerQuery({ endpoint, parameters }, { store, timeLeftMs: () => 0 })
    expect({ found, isPartial, calls: ledger.calls }).toEqual({ found: [], isPartial: true, calls: 0 })
    expect(next).toEqual(expect.any(String))
  })
})

const idsOf = (records: readonly EventRecord[]) => records.map(({ id }) => id)
