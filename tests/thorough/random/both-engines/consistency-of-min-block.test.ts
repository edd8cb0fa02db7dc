import fc from 'fast-check'
import { NETWORKS } from '../../../../lib/events/networks.ts'
import { createFreshness } from '../../../../lib/http/freshness.ts'
import { DEFAULT_LIMITS } from '../../../../lib/query/budget.ts'
import type { EventStore } from '../../../../lib/query/event-store.ts'
import { createDynamoEventStore } from '../../../../lib/store/reading/dynamo-event-store.ts'
import { createCheckpointReader } from '../../../../lib/store/reading/read-checkpoints.ts'
import { ask, nextUrl } from '../../../support/http/ask.ts'
import { FORMATS } from '../../../support/http/http-events.ts'
import { queryFunctions } from '../../../support/http/query-functions.ts'
import { eventsOf } from '../../../support/http/walk.ts'
import { expectRecords } from '../../../support/oracle/expect-records.ts'
import { valuesOf } from '../../../support/oracle/oracle-problems.ts'
import { validAnswer } from '../../../support/oracle/valid-answer.ts'
import { walkAnswers } from '../../../support/query/walk-answers.ts'
import { eventSetOf } from '../../../support/records/arbitrary-records.ts'
import { type ApiRequest, skipOf, withoutParameters } from '../../../support/requests/api-request.ts'
import { requestsOn } from '../../../support/requests/arbitrary-requests.ts'
import { REQUEST_COUNT, SEED } from '../../../support/runner/test-size.ts'
import { useEngine } from '../../../support/store/engine.ts'
import { type LaggingNetworks, storeLate } from '../../../support/store/lagging-networks.ts'
import { createLaggingTable, type LaggingTable } from '../../../support/store/lagging-table.ts'

/** Fewer than in `endpoints.test.ts`, because each request makes a few more calls. */
const REQUESTS = Math.max(100, Math.ceil(REQUEST_COUNT / 4))
/** Many requests share a set of events, because a set costs seconds to write and a request costs milliseconds. */
const REQUESTS_PER_SET = 250
const SETS = Math.max(2, Math.ceil(REQUESTS / REQUESTS_PER_SET))
const RUNS = Math.ceil(REQUESTS / SETS)
const WALKS = Math.ceil(RUNS / 5)
/** In every fourth set of events, one block gets more events than fit on a page of the default size. */
const CROWD = 150

const NOW_MS = Date.parse('2026-01-02T03:04:05.678Z')

const engine = useEngine()
const sets = Array.from({ length: SETS }, (_, index) => ({
  seed: SEED + index,
  crowd: index % 4 === 0 ? CROWD : 0,
}))

describe.each(sets)('where indexes lag behind the random events of seed $seed', ({ seed, crowd }) => {
  const records = eventSetOf({ blocks: 10, events: 4, crowd }, seed)
  let table: LaggingTable
  let late: LaggingNetworks
  let store: EventStore
  let handlers: ReturnType<typeof queryFunctions>
  let requests: fc.Arbitrary<ApiRequest>

  beforeAll(async () => {
    table = await createLaggingTable(engine)
    late = await storeLate(records, { table, seed, nowMs: NOW_MS })
    const reading = { client: table.reader, tableName: table.tableName }
    store = createDynamoEventStore(reading)
    const freshness = createFreshness(createCheckpointReader(reading))
    handlers = queryFunctions({ store, freshness, now: () => NOW_MS })
    requests = requestsOn(records, late.finality)
  })
  afterAll(() => table.stop())

  const forAny = <T>(values: fc.Arbitrary<T>, numRuns: number, check: (value: T) => Promise<void>) =>
    fc.assert(fc.asyncProperty(values, check), { seed, numRuns })
  const whole = () => requests.chain(request => namingLast(request, late))

  test('an answer is the one that filtering, sorting and slicing all stored events gives', async () => {
    const drawn = fc.record({ request: whole(), format: fc.constantFrom(...FORMATS) })
    await forAny(drawn, RUNS, async ({ request, format }) => {
      const { events, all, more } = validAnswer(records, request, late.finality)
      const page = await ask(handlers[request.endpoint], request, format)

      expectRecords(eventsOf(page), events)
      expect(page.headers['x-total-count']).toBe(isCounted(request) ? String(all.length) : undefined)
      expect(page.headers).not.toHaveProperty('x-partial')
      expect(nextUrl(page) !== undefined).toBe(more)
    })
  })

  test('short readings and small budgets lead on to every record once, in order', async () => {
    const shortage = fc.record({
      rowsPerCall: fc.constantFrom(1, 3, 50),
      roundTrips: fc.constantFrom(12, 40, 1000),
    })
    const drawn = fc.record({ request: whole(), shortage })
    await forAny(drawn, WALKS, async ({ request, shortage: { rowsPerCall, roundTrips } }) => {
      const expected = validAnswer(records, request, late.finality).all.slice(skipOf(request))
      const asked = paged(request, expected.length)
      const shortened = {
        store: stoppingShort(store, rowsPerCall),
        limits: { ...DEFAULT_LIMITS, roundTrips },
        now: () => NOW_MS,
      }
      const pages = await walkAnswers(asked, () => shortened)

      expectRecords(
        pages.flatMap(page => page.records),
        expected,
      )
    })
  })
})

/**
 * Adds a `minBlock` with the last indexed block of every lagging network, and perhaps blocks of other networks. The
 * answer must then contain all stored matches. With `finalized=true`, `minBlock` contains every network, because a
 * network's known final block can be as stale as an index.
 */
function namingLast(request: ApiRequest, { indexed, lagging }: LaggingNetworks): fc.Arbitrary<ApiRequest> {
  const asked = valuesOf(request.query, 'network')
  const isOfFinality = valuesOf(request.query, 'finalized').includes('true')
  const drawn = NETWORKS.flatMap(network => {
    const last = indexed[network]
    if (last === undefined || (asked.length > 0 && !asked.includes(network))) return []
    const isNamed = isOfFinality || lagging.includes(network)
    const block = isNamed ? fc.constant(last) : fc.oneof(fc.constant(undefined), fc.nat(last))
    return [block.map(number => (number === undefined ? [] : [`${network}:${number}`]))]
  })
  return fc.tuple(fc.nat(request.query.length), ...drawn).map(([at, ...named]) => {
    const pairs = named.flat().map((value): [string, string] => ['minBlock', value])
    return { ...request, query: request.query.toSpliced(at, 0, ...pairs) }
  })
}

const isCounted = ({ query }: ApiRequest) =>
  query.some(([name, value]) => name === 'count' && value === 'true')

function paged(request: ApiRequest, total: number): ApiRequest {
  const limit: [string, string] = ['limit', String(Math.max(1, Math.ceil(total / 5)))]
  return { ...request, query: [...withoutParameters(request.query, 'limit', 'count'), limit] }
}

/** Each call ends after this many rows, as DynamoDB's calls do after a megabyte. */
const stoppingShort = (store: EventStore, rowsPerCall: number): EventStore => ({
  ...store,
  readList: reading => store.readList({ ...reading, limit: Math.min(reading.limit, rowsPerCall) }),
})
