import type { EventRecord } from '../../../lib/events/record.ts'
import { createFreshness } from '../../../lib/http/freshness.ts'
import { answerQuery } from '../../../lib/query/answer-query.ts'
import { StoreUnavailableError } from '../../../lib/query/errors.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { createBlockTimeReader } from '../../../lib/store/reading/read-block-times.ts'
import { putBlockTimes } from '../../../lib/store/writing/block-times.ts'
import { ask } from '../../support/http/ask.ts'
import { queryFunctions } from '../../support/http/query-functions.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { queryInputOf } from '../../support/query/query-input-of.ts'
import { resumedAt } from '../../support/query/walk-answers.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { type ApiRequest, queryOf, tokenEvents } from '../../support/requests/api-request.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const START = Date.parse('2023-06-02T00:00:00Z') / 1000
const BLOCKS = 400
const NETWORKS = ['base', 'polygon'] as const

/** One event for each block, on two networks whose blocks have different times. */
const records: EventRecord[] = NETWORKS.flatMap((network, at) =>
  Array.from({ length: BLOCKS }, (_, index) =>
    makeEvent('OwnershipTransferred', {
      network,
      blockNumber: 1000 + index,
      transactionHash: `0x${String(index).padStart(64, String(at))}`,
      createdAt: new Date((START + at * 5000 + index * 2) * 1000).toISOString(),
    }),
  ),
)
const { address } = records[0] as EventRecord

let tableName: string
beforeAll(async () => {
  tableName = await engine.createEventsTable(records)
  const client = engine.documents
  for (const network of NETWORKS) {
    const noted = records.filter(record => record.network === network && record.blockNumber % 50 === 0)
    const secondsOf = ({ createdAt }: EventRecord) => Date.parse(createdAt) / 1000
    const times = noted.map(each => ({ blockNumber: each.blockNumber, timestamp: secondsOf(each) }))
    await putBlockTimes(network, times, { client, tableName })
  }
})

const newStore = () => createDynamoEventStore({ client: engine.reader, tableName })
const askOf = (query: ApiRequest['query'], store = newStore()) => {
  const request = tokenEvents([['address', address], ...query])
  return answerQuery(queryInputOf(request), { store })
}
const expected = (query: ApiRequest['query']) =>
  validAnswer(records, tokenEvents([['address', address], ...query]))

const timeOf = (block: number) => new Date((START + (block - 1000) * 2) * 1000).toISOString()

test.each<[string, ApiRequest['query']]>([
  ['newest first', []],
  ['oldest first', [['createdAt', 'asc']]],
  ['with ties reversed', queryOf('createdAt=desc&blockNumber=asc')],
])('a span of time is read with one call, and no more rows than it answers: %s', async (_, order) => {
  const query: ApiRequest['query'] = [['fromTime', timeOf(1100)], ['toTime', timeOf(1120)], ...order]
  const { records: found, cost } = await askOf(query)

  expect(found).toEqual(expected(query).events)
  expect(found).toHaveLength(21)
  expect(cost).toMatchObject({ calls: 1, rowsExamined: 21 })
})

test('a span of blocks is read between the noted blocks around it, with two small calls that an instance makes once', async () => {
  const store = newStore()
  const query = queryOf('network=polygon&fromBlock=1110&toBlock=1130')
  for (const direction of ['asc', 'desc']) {
    const isFirst = direction === 'asc'
    const { records: found, cost } = await askOf([...query, ['blockNumber', direction]], store)

    expect(found).toEqual(expected([...query, ['blockNumber', direction]]).events)
    expect(cost.calls).toBe(isFirst ? 3 : 1)
    // The span's 21 blocks lie among at most 50 blocks between two blocks whose times are stored.
    expect(cost.rowsExamined).toBeLessThanOrEqual(50 + 1 + (isFirst ? 2 : 0))
  }
})

test('a span of blocks over all networks is read of each between times of its own', async () => {
  const query = queryOf('fromBlock=1110&toBlock=1130')
  const store = newStore()
  await askOf(query, store)
  const { records: found, cost } = await askOf(query, store)

  expect(found).toEqual(expected(query).events)
  expect(found).toHaveLength(42)
  expect(cost.rowsExamined).toBeLessThanOrEqual(2 * 51)
})

test('a block outside of the span is not looked for', async () => {
  const { records: found, cost } = await askOf(queryOf('blockNumber=1105&toBlock=1104'))

  expect([found, cost.calls]).toEqual([[], 0])
})

test('that no block is noted is asked again after a minute, and one that is noted after an hour', async () => {
  let now = 1_000_000
  const read = createBlockTimeReader({ client: engine.reader, tableName }, { now: () => now })
  const callsFor = async (blockNumber: number) =>
    (await read({ network: 'base', blockNumber, side: 'behind' })).calls

  const calls = [await callsFor(1001), await callsFor(9999), await callsFor(9999)]
  now += 61_000
  expect([...calls, await callsFor(1001), await callsFor(9999)]).toEqual([1, 1, 0, 0, 1])
  now += 3_600_000
  expect(await callsFor(1001)).toBe(1)
})

test('a cursor holds one place for each network, into however many parts a query is cut', async () => {
  const others = Array.from({ length: 9 }, (_, at) => `0x${String(at).repeat(40)}`)
  // Nine contracts, because `askOf` adds a tenth.
  const { next, plan } = await askOf(queryOf(`address=${others.join()}&blockNumber=asc&limit=1`))

  expect(plan.read === 'merge' && plan.parts.length).toBe(50)
  expect(next?.length).toBeLessThan(600)
})

describe('finality', () => {
  const request = tokenEvents('finalized=true&blockNumber=desc&limit=3')

  test('where no indexer tells, nothing is final, and nothing is read', async () => {
    const { records: found, cost } = await askOf([['finalized', 'true']])

    expect([found, cost.calls]).toEqual([[], 0])
  })

  test('where it cannot be read what is final, the answer is not that nothing is', async () => {
    const failure = new StoreUnavailableError(new Error('No connection'))
    const freshness = createFreshness(() => Promise.reject(failure))
    const handlers = queryFunctions({ store: newStore(), freshness })
    const statuses = [request, tokenEvents([['finalized', 'false']])].map(
      async asked => (await ask(handlers['token-events'], asked, 'http-api')).status,
    )

    expect(await Promise.all(statuses)).toEqual([503, 200])
  })
})

describe('count', () => {
  test('is the same on every page, and not told where it is not asked for', async () => {
    const served = tokenEvents(`address=${address}&count=true&limit=300`)
    const store = newStore()
    const first = await answerQuery(queryInputOf(served), { store })
    const second = await answerQuery(queryInputOf(resumedAt(served, first.next ?? '')), { store })

    expect([first, second].map(({ total }) => total)).toEqual(Array(2).fill({ count: 800, isExact: true }))
    expect((await askOf([['count', 'false']])).total).toBeUndefined()
  })

  test('of a page that holds all takes nothing', async () => {
    const query = queryOf(`fromTime=${timeOf(1100)}&toTime=${timeOf(1110)}`)
    const { cost, total } = await askOf([...query, ['count', 'true']])

    expect([cost.calls, total]).toEqual([1, { count: 11, isExact: true }])
  })
})
