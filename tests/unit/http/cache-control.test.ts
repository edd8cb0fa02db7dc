import fc from 'fast-check'
import { usersOf } from '../../../lib/events/lists.ts'
import { NETWORKS, type Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { cacheControl } from '../../../lib/http/cache-control.ts'
import { parseQuery } from '../../../lib/query/parse-query.ts'
import { valuesOf } from '../../support/oracle/oracle-problems.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { queryInputOf } from '../../support/query/query-input-of.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { type ApiRequest, queryOf, tokenEvents, userEvents } from '../../support/requests/api-request.ts'
import { requestsOn } from '../../support/requests/arbitrary-requests.ts'
import { mostFrequent } from '../../support/requests/plan-shapes.ts'
import { SEED } from '../../support/runner/test-size.ts'

const records = eventSetOf({ blocks: 8, events: 5 }, 13)
const onBase = records.filter(({ network }) => network === 'base')
const user = mostFrequent(onBase.flatMap(usersOf))
const [some] = onBase.filter(record => usersOf(record).includes(user)) as [EventRecord]
const everyBlockIsFinal = new Map(NETWORKS.map(network => [network, 10 ** 9]))

interface Answered {
  lastFinal?: ReadonlyMap<Network, number>
  isPartial?: boolean
  events?: EventRecord[]
  networks?: readonly Network[]
}

function policy(request: ApiRequest, answered: Answered) {
  const { lastFinal = everyBlockIsFinal, isPartial = false, events = records, networks } = answered
  const found = validAnswer(events, request)
  const { query } = parseQuery(queryInputOf(request))
  return cacheControl({ query, records: found.events, hasNext: found.more, isPartial, lastFinal, networks })
}

const AN_HOUR = 'public, max-age=3600'
const block: [string, string] = ['blockNumber', String(some.blockNumber)]
const transaction: [string, string] = ['transactionHash', some.transactionHash]
const base: [string, string] = ['network', 'base']
const firstTwo = queryOf('createdAt=asc&limit=2')

const ofUser = (query: ApiRequest['query']) => userEvents(user, query)
const allButOne = new Map([...everyBlockIsFinal].slice(1))
const finalBefore = new Map([['base' as const, some.blockNumber - 1]])

const [first, ...networks] = NETWORKS
const ofFewer = { lastFinal: allButOne, networks, events: records.filter(({ network }) => network !== first) }

test.each<[string, ApiRequest, state?: Answered]>([
  ['a block number that is final on every network', tokenEvents([block])],
  ['a block of one network', ofUser([base, block])],
  ['a transaction on one network', ofUser([base, transaction])],
  ['the oldest events on one network, where more follow', ofUser([base, ...firstTwo])],
  ['a transaction', tokenEvents([transaction])],
  ['a block number in a table of fewer networks', tokenEvents([block]), ofFewer],
])('%s is cached for an hour', (_, request, state = {}) => {
  expect(policy(request, state)).toBe(AN_HOUR)
})

test.each([
  ['the latest events', ofUser([base]), {}],
  ['all there is, oldest first', ofUser([base, ['createdAt', 'asc'], ['limit', '500']]), {}],
  ['the oldest events over all networks', tokenEvents(firstTwo), {}],
  ['equal times latest block first', ofUser([base, ...firstTwo, ['blockNumber', 'desc']]), {}],
  ['a block number, if one network is unknown', tokenEvents([block]), { lastFinal: allButOne }],
  ['a block that a reorganisation can still remove', ofUser([base, block]), { lastFinal: finalBefore }],
  ['a block when finality is unknown', ofUser([base, block]), { lastFinal: new Map() }],
  ['nothing found', ofUser([base, ['blockNumber', '1'], ['event', 'Minted']]), {}],
  ['a value that is no hash', ofUser([base, ['transactionHash', 'x'.repeat(66)]]), {}],
])('%s: cached for five seconds', (_, request, state) => {
  expect(policy(request, state)).toBe('public, max-age=5')
})

test('a partial page is not cached', () => {
  expect(policy(ofUser([base, block]), { isPartial: true })).toBe('no-store')
})

/** The same transaction might later be sent to another network, where it would also match the request. */
const mayBeReplayed = ({ query }: ApiRequest) =>
  query.some(([name]) => name === 'transactionHash') && new Set(valuesOf(query, 'network')).size !== 1

test(`an answer that is cached for an hour stays true when chains grow and are reorganised (seed ${SEED})`, () => {
  const chainAndRequest = requestsOn(records).chain(request =>
    fc.record({
      request: fc.constant(request),
      finality: fc.tuple(...NETWORKS.map(() => fc.nat(12))),
      kept: fc.array(fc.boolean(), { minLength: records.length, maxLength: records.length }),
    }),
  )
  let keptForAnHour = 0
  const property = fc.property(chainAndRequest, ({ request, finality, kept }) => {
    const lastFinal = new Map(
      NETWORKS.map((network, at) => [network, lowest(network) + (finality[at] ?? 0) - 1]),
    )
    const isFinal = ({ network, blockNumber }: EventRecord) => blockNumber <= (lastFinal.get(network) ?? -1)
    const before = records.filter((record, at) => isFinal(record) || kept[at])
    if (policy(request, { lastFinal, events: before }) !== AN_HOUR || mayBeReplayed(request)) return
    keptForAnHour++
    const [then, now] = [validAnswer(before, request), validAnswer(records, request)]
    expect([now.events, now.more]).toEqual([then.events, then.more])
  })
  fc.assert(property, { seed: SEED, numRuns: 600 })

  expect(keptForAnHour).toBeGreaterThan(4)
})

const lowest = (network: string) =>
  Math.min(...records.filter(record => record.network === network).map(({ blockNumber }) => blockNumber))
