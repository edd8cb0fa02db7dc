import fc from 'fast-check'
import { EVENT_KINDS } from '../../../lib/events/event-kinds.ts'
import { type EventRecord, eventRecordSchema } from '../../../lib/events/record.ts'
import { answer } from '../../support/oracle/oracle.ts'
import { valuesOf } from '../../support/oracle/oracle-problems.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { eventSetOf, eventSets } from '../../support/records/arbitrary-records.ts'
import { requestsOn } from '../../support/requests/arbitrary-requests.ts'
import { filtersOf } from '../../support/requests/values-in.ts'

const sets = eventSets({ blocks: 8, events: 5, crowd: 20 })

test('every event is one that the service could have stored', () => {
  fc.assert(
    fc.property(sets, records => {
      for (const record of records) expect(eventRecordSchema.parse(record)).toEqual(record)
    }),
    { numRuns: 20 },
  )
})

test('every set keeps what events promise', () => {
  fc.assert(
    fc.property(sets, records => {
      const chains = Object.values(Object.groupBy(records, ({ network }) => network))
      for (const chain of chains) expectPromisesKept(chain)
    }),
    { numRuns: 20 },
  )
})

function expectPromisesKept(chain: EventRecord[]) {
  const ordered = chain.toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  ordered.forEach((record, index) => {
    const before = ordered[index - 1]
    if (!before) return
    expect(record.createdAt >= before.createdAt).toBe(true)
    if (record.blockNumber !== before.blockNumber) return
    expect(record.logIndex).toBeGreaterThan(before.logIndex)
    expect(record).toMatchObject({ blockHash: before.blockHash, createdAt: before.createdAt })
  })
  const blockOf = new Map(chain.map(({ transactionHash, blockHash }) => [transactionHash, blockHash]))
  for (const record of chain) expect(blockOf.get(record.transactionHash)).toBe(record.blockHash)
}

const sample = eventSetOf({ blocks: 12, events: 5, crowd: 20 }, 7)
const FINALITY = { base: 12, polygon: 8, ethereum: 5 }

test.each<[string, (record: EventRecord) => unknown]>([
  ['a second', ({ createdAt }) => createdAt],
  ['a block number', ({ blockNumber }) => blockNumber],
  ['a transaction hash', ({ transactionHash }) => transactionHash],
])('several networks share %s', (_, keyOf) => {
  const groups = [...Map.groupBy(sample, keyOf).values()]

  expect(groups.some(group => new Set(group.map(({ network }) => network)).size > 1)).toBe(true)
})

test.each(EVENT_KINDS)('random events have %s', kind => {
  expect(sample.map(({ event }) => event)).toContain(kind)
})

const requests = fc.sample(requestsOn(sample, FINALITY), { numRuns: 2000, seed: 7 })

const filters = (['user-events', 'token-events'] as const).flatMap(endpoint =>
  filtersOf(endpoint).map(name => [endpoint, name] as const),
)

test.each(filters)('random requests of %s have %s, and match something with it', (endpoint, name) => {
  const having = requests.filter(
    request => request.endpoint === endpoint && valuesOf(request.query, name).length > 0,
  )

  expect(having.some(request => validAnswer(sample, request, FINALITY).all.length > 0)).toBe(true)
})

test('random requests are valid, and most of them match something', () => {
  const answers = fc
    .sample(requestsOn(sample), { numRuns: 300, seed: 7 })
    .map(request => answer(sample, request))

  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  expect(answers.filter(one => one.status === 200 && one.all.length > 0).length).toBeGreaterThan(180)
})
