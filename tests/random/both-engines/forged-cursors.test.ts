import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { NETWORKS } from '../../../lib/events/networks.ts'
import { encodePlace } from '../../../lib/events/place.ts'
import { answerQuery } from '../../../lib/query/answer-query.ts'
import { DEFAULT_LIMITS } from '../../../lib/query/budget.ts'
import { encodeCursor } from '../../../lib/query/cursor.ts'
import { InvalidQueryError } from '../../../lib/query/errors.ts'
import type { EventStore } from '../../../lib/query/event-store.ts'
import { parseQuery } from '../../../lib/query/parse-query.ts'
import type { ListChoice, Plan } from '../../../lib/query/plan-query.ts'
import type { Position } from '../../../lib/query/position.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { queryInputOf } from '../../support/query/query-input-of.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { requestsOn } from '../../support/requests/arbitrary-requests.ts'
import { FUZZ_COUNT, SEED } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'

const RUNS = Math.ceil(FUZZ_COUNT / 3)
const engine = useEngine()
const records = eventSetOf({ blocks: 5, events: 3, crowd: 40 }, SEED)
let store: EventStore

beforeAll(async () => {
  const tableName = await engine.createEventsTable(records)
  store = createDynamoEventStore({ client: engine.reader, tableName })
})

const seconds = records.map(({ createdAt }) => Date.parse(createdAt) / 1000)
const blockNumbers = records.map(record => record.blockNumber)
const logIndexes = records.map(record => record.logIndex)
const number = (usual: number[], most: number) =>
  fc.oneof(fc.constantFrom(...usual), fc.constantFrom(0, 1, most - 1, most), fc.nat(1000))

/**
 * Encoded places (positions in the order of events): places of events, places that no event can have, places at the
 * bounds of each number, and places later than all events.
 */
const place = fc
  .record({
    seconds: number(seconds, 999_999_999_999),
    blockNumber: number(blockNumbers, 999_999_999_999),
    network: fc.constantFrom(...NETWORKS),
    logIndex: number(logIndexes, 9_999_999_999),
  })
  .map(encodePlace)

const anyPlace = fc.oneof(
  { weight: 12, arbitrary: place },
  { weight: 1, arbitrary: fc.constantFrom('', 'end', '~', '#') },
)

const position: fc.Arbitrary<Position | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.record({ at: fc.constantFrom('place' as const, 'second' as const, 'run' as const), place: anyPlace }),
  fc.record(
    {
      at: fc.constant('networks' as const),
      places: fc.dictionary(fc.constantFrom(...NETWORKS, 'solana'), fc.oneof(anyPlace, fc.constant('end'))),
      last: anyPlace,
    },
    { requiredKeys: ['at', 'places'] },
  ),
)

const skip = fc.constantFrom(0, 1, 51, 5_000, Number.MAX_SAFE_INTEGER, -1, 0.5)

function noting(lists: object[]): EventStore {
  return {
    ...store,
    readList: (reading, options) => {
      const { list, where, network } = reading
      lists.push({ list, where, ...(network && { network }) })
      return store.readList(reading, options)
    },
  }
}

const choicesOf = (plan: Plan): (ListChoice & { network?: string })[] => {
  switch (plan.read) {
    case 'nothing':
      return []
    case 'lists':
      return plan.lists.map(choice => ({ ...choice, ...(plan.network && { network: plan.network }) }))
    case 'merge':
      return plan.parts.flatMap(choicesOf)
    case 'ties-reversed':
    case 'block-runs':
      return choicesOf(plan.source)
  }
}

test(`a cursor with a right digest and any position is refused, or leads nowhere but into the lists of its query (seed ${SEED})`, async () => {
  const drawn = fc.record({ request: requestsOn(records), position, skip })
  await fc.assert(
    fc.asyncProperty(drawn, async ({ request, position: from, skip: left }) => {
      const query = request.query.filter(([name]) => name !== 'skip')
      const input = queryInputOf({ ...request, query })
      const { plan, queryKey } = parseQuery(input)
      const cursor = encodeCursor({ from, skip: left }, queryKey)
      const lists: object[] = []
      try {
        const resumed = { ...input, parameters: [...query, ['cursor', cursor] as const] }
        const page = await answerQuery(resumed, { store: noting(lists) })

        const known = new Set(validAnswer(records, { ...request, query }).all.map(({ id }) => id))
        const ids = page.records.map(({ id }) => id)
        expect(ids.filter(id => !known.has(id))).toEqual([])
        expect(new Set(ids).size).toBe(ids.length)
        expect(page.cost.roundTrips).toBeLessThanOrEqual(DEFAULT_LIMITS.roundTrips + 10)
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidQueryError)
      }
      expect(lists.filter(read => !isAmong(read, choicesOf(plan)))).toEqual([])
    }),
    { numRuns: RUNS, seed: SEED },
  )
})

/** Ignores conditions (`where`), because the reads that search for a block's runs of events have no conditions. */
const isAmong = (read: object, choices: readonly object[]) =>
  choices.some(choice => isDeepStrictEqual({ ...choice, where: [] }, { ...read, where: [] }))
