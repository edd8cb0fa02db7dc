import fc from 'fast-check'
import { EVENT_KINDS } from '../../../lib/events/event-kinds.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { answer } from '../../support/oracle/oracle.ts'
import { valuesOf } from '../../support/oracle/oracle-problems.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { requestsOn } from '../../support/requests/arbitrary-requests.ts'
import { filtersOf } from '../../support/requests/values-in.ts'

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
