import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import fc from 'fast-check'
import { createTable } from '../../../infra/local/database/create-table.ts'
import { NETWORKS, type Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { createFreshness } from '../../../lib/http/freshness.ts'
import { answerQuery } from '../../../lib/query/answer-query.ts'
import { encodeCursor } from '../../../lib/query/cursor.ts'
import type { EventStore } from '../../../lib/query/event-store.ts'
import type { IndexedThrough } from '../../../lib/query/indexed-through.ts'
import { parseQuery } from '../../../lib/query/parse-query.ts'
import { createClient } from '../../../lib/store/create-client.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { putBlockTimes } from '../../../lib/store/writing/block-times.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { ask, nextUrl } from '../../support/http/ask.ts'
import { queryFunctions } from '../../support/http/query-functions.ts'
import { eventsOf } from '../../support/http/walk.ts'
import type { Finality } from '../../support/oracle/oracle.ts'
import { valuesOf } from '../../support/oracle/oracle-problems.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { queryInputOf } from '../../support/query/query-input-of.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { createRandom, type Random } from '../../support/records/random.ts'
import {
  type ApiRequest,
  requestOfUrl,
  skipOf,
  tokenEvents,
  withoutParameters,
} from '../../support/requests/api-request.ts'
import { requestsOn } from '../../support/requests/arbitrary-requests.ts'
import { REQUEST_COUNT, SEED } from '../../support/runner/test-size.ts'
import { LOCAL_ACCESS } from '../../support/store/local-client.ts'
import { createMemoryDynamo } from '../../world/dynamo/memory-dynamo.ts'
import { createMemoryRequestHandler } from '../../world/dynamo/memory-request-handler.ts'

const records = eventSetOf({ blocks: 10, events: 4, crowd: 30 }, SEED)
/** Lowest block first. */
const BLOCKS = new Map(
  [...Map.groupBy(records, ({ network }) => network)].map(([network, own]) => [
    network,
    [...new Set(own.map(({ blockNumber }) => blockNumber))].toSorted((a, b) => a - b),
  ]),
)
/** After this time, an instance reads the checkpoints again before it answers. */
const MS_PER_PAGE = 31_000
/** After more refusals of a page than this, the test lets the restarted indexes catch up. */
const PATIENCE = 3

let store: EventStore
let write: (records: EventRecord[]) => Promise<unknown>

beforeAll(async () => {
  const dynamo = createMemoryDynamo({ now: Date.now })
  const requestHandler = createMemoryRequestHandler(dynamo)
  const client = new DynamoDBClient({ ...LOCAL_ACCESS, requestHandler })
  const tableName = 'events'
  await createTable({ client, tableName })
  write = added => writeEvents({ client, tableName }, added)
  await write(records)
  for (const [network, own] of Map.groupBy(records, record => record.network)) {
    const times = new Map(own.map(record => [record.blockNumber, Date.parse(record.createdAt) / 1000]))
    const notes = [...times].map(([blockNumber, timestamp]) => ({ blockNumber, timestamp }))
    await putBlockTimes(network, notes, { client: DynamoDBDocumentClient.from(client), tableName })
  }
  store = createDynamoEventStore({ client: createClient(LOCAL_ACCESS, requestHandler), tableName })
})

/** The final blocks that the indexers know. They change between two pages. */
function createIndexes(random: Random) {
  const highest: Finality = {}
  const now: Finality = {}
  const raise = (network: Network) => {
    const above = (BLOCKS.get(network) ?? []).filter(block => block >= (highest[network] ?? 0))
    highest[network] = above.length > 0 ? random.pick(above) : (highest[network] ?? 0)
    now[network] = highest[network]
  }
  for (const network of NETWORKS) if (random.chance(0.8)) raise(network)
  return {
    now,
    highest,
    change() {
      const network = random.pick(NETWORKS)
      const change = random.pick(['none', 'rise', 'rise', 'restart', 'begin', 'catch up'] as const)
      if (change === 'rise' && now[network] === highest[network]) raise(network)
      if (change === 'restart') delete now[network]
      if (change === 'begin' && highest[network] !== undefined)
        now[network] = random.pick(
          [0, ...(BLOCKS.get(network) ?? [])].filter(block => block <= (highest[network] ?? 0)),
        )
      if (change === 'catch up') this.catchUp()
    },
    catchUp() {
      for (const network of NETWORKS) {
        highest[network] ??= 0
        now[network] = highest[network]
      }
    },
    read: (): IndexedThrough[] =>
      NETWORKS.flatMap(network => {
        const finalizedBlock = now[network]
        return finalizedBlock === undefined
          ? []
          : [{ network, blockNumber: finalizedBlock, timestamp: 1, finalizedBlock }]
      }),
  }
}

const isWide = (name: string, value: string) =>
  ['createdAt', 'network'].includes(name) || (name === 'blockNumber' && !/[0-9]/.test(value))

/** The request sometimes has `minBlock`. */
function pagedFinal(request: ApiRequest, random: Random): ApiRequest {
  const kept = withoutParameters(request.query, 'finalized', 'limit', 'count', 'format', 'minBlock')
  // Most random requests have so many filters that they match few events and end on their first page.
  const query = random.chance(0.3) ? kept : kept.filter(([name, value]) => isWide(name, value))
  const isNaming = random.chance(0.2) && valuesOf(query, 'network').length === 0
  return {
    ...(query === kept ? request : tokenEvents()),
    query: [
      ...query,
      ['finalized', 'true'],
      ['limit', String(1 + random.below(20))],
      ...(isNaming ? [['minBlock', `${random.pick(NETWORKS)}:0`] as [string, string]] : []),
    ],
  }
}

/** Between the pages, the indexes and the stored block times change. */
async function walk(request: ApiRequest, random: Random) {
  const indexes = createIndexes(random)
  let atStart: Finality = {}
  const tally = { pages: 0, restarted: 0, refused: 0 }
  let clock = 0
  const cost = { calls: 1, examined: 5, readUnits: 0.5 }
  const changing: EventStore = {
    ...store,
    readBlockTime: async (asked, options) => {
      const found = await store.readBlockTime(asked, options)
      return random.chance(0.5) ? found : { ...found, seconds: undefined }
    },
    readCheckpoints: async () => ({ written: new Set(NETWORKS), indexed: indexes.read(), ...cost }),
  }
  const freshness = createFreshness(async () => ({ networks: indexes.read(), ...cost }), { now: () => clock })
  const handlers = queryFunctions({ store: changing, freshness })
  const events = []
  let next: ApiRequest | undefined = request
  let refusals = 0
  while (next) {
    clock += MS_PER_PAGE
    const page = await ask(handlers[next.endpoint], next, 'http-api')
    if (page.status === 503 || page.status === 412) {
      tally.refused += 1
      refusals += 1
      if (refusals > PATIENCE) indexes.catchUp()
      else indexes.change()
      continue
    }
    refusals = 0
    tally.pages += 1
    events.push(...eventsOf(page))
    const { query, finalBefore } = parseQuery(queryInputOf(next))
    const asked = (query.filters !== 'unmatchable' && query.filters.network) || NETWORKS
    const isBehind = asked.some(network => (indexes.now[network] ?? -1) < (finalBefore[network] ?? -1))
    if (isBehind) tally.restarted += 1
    const url = nextUrl(page)
    if (isBehind && url === undefined) throw new Error(`Ends early: ${JSON.stringify(next)}`)
    if (tally.pages === 1) atStart = { ...indexes.now }
    next = url === undefined ? undefined : requestOfUrl(url)
    indexes.change()
  }
  return { events, atStart, everFinal: indexes.highest, tally }
}

test(`no walk over final events ends early, while indexes restart and what they keep changes (seed ${SEED})`, async () => {
  const sum = { walks: 0, pages: 0, restarted: 0, refused: 0, events: 0 }
  const everything = Object.fromEntries([...BLOCKS].map(([network, blocks]) => [network, blocks.at(-1)]))
  await fc.assert(
    fc.asyncProperty(requestsOn(records, everything), fc.nat(), async (drawn, seed) => {
      const random = createRandom(seed)
      const request = pagedFinal(drawn, random)
      const { events, atStart, everFinal, tally } = await walk(request, random)

      const ids = events.map(({ id }) => id)
      const readable = validAnswer(records, request, atStart).all.slice(skipOf(request))
      const possible = validAnswer(records, request, everFinal).all
      expect(readable.filter(({ id }) => !ids.includes(id))).toEqual([])
      expect(ids).toEqual(possible.map(({ id }) => id).filter(id => ids.includes(id)))
      expect(new Set(ids).size).toBe(ids.length)
      for (const key of ['pages', 'restarted', 'refused'] as const) sum[key] += tally[key]
      sum.walks += 1
      sum.events += events.length
    }),
    { numRuns: REQUEST_COUNT, seed: SEED },
  )
  console.table(sum)
  expect(Math.min(sum.restarted, sum.refused, sum.events)).toBeGreaterThan(0)
})

test('what becomes final at the end of a walk does not follow what it precedes', async () => {
  const address = `0x${'7e'.repeat(20)}`
  const [lower, higher] = [70_000_000, 70_000_001].map(blockNumber =>
    makeEvent('Minted', {
      ...{ address, blockNumber, createdAt: '2031-01-01T00:00:00.000Z' },
      transactionHash: `0x${String(blockNumber).padStart(64, '0')}`,
    }),
  ) as [EventRecord, EventRecord]
  await write([lower, higher])
  const asked = { address, createdAt: 'asc', blockNumber: 'desc', finalized: 'true' }
  const inputWith = (more: Record<string, string>) => ({
    endpoint: 'token-events' as const,
    parameters: Object.entries({ ...asked, ...more }),
  })
  const ask = (finality: [Network, number][], cursor: string | undefined) =>
    answerQuery(inputWith(cursor === undefined ? {} : { cursor }), { store, finalThrough: new Map(finality) })
  const { query, queryKey } = parseQuery(inputWith({}))
  const known = encodeCursor({ from: undefined, skip: 0, finalThrough: { polygon: 9 } }, queryKey)
  const page = await ask([['base', lower.blockNumber]], known)
  const end: [Network, number][] = [
    ['base', higher.blockNumber],
    ['polygon', 9],
  ]

  expect(query.order).toEqual({ by: 'time', direction: 'asc', ties: 'desc' })
  expect(page).toMatchObject({ records: [lower], isPartial: true })
  expect(await ask(end, page.next)).toMatchObject({ records: [], next: undefined })
})
