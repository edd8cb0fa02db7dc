import { NETWORKS, type Network } from '../../../lib/events/networks.ts'
import { encodePlace } from '../../../lib/events/place.ts'
import { COUNT_LIMITS, countMatches } from '../../../lib/query/count-matches.ts'
import type { EventStore } from '../../../lib/query/event-store.ts'
import { parseQuery } from '../../../lib/query/parse-query.ts'
import { countCosts, noCost } from '../../../lib/query/request-cost.ts'

const TOKEN = `0x${'7'.repeat(40)}`
const ROWS_PER_UNIT = 30

interface StoreOptions {
  /** The number of rows that DynamoDB reads in one call, and for one read unit. */
  rowsPerCall?: number
  rowsPerUnit?: number
}

/** Each list of a network, or of `all`, has this many rows. A consistent count costs twice as much as an ordinary one. */
function storeOf(
  sizes: Partial<Record<Network | 'all', number>>,
  { rowsPerCall = 3800, rowsPerUnit = ROWS_PER_UNIT }: StoreOptions = {},
): EventStore {
  const read = new Map<string, number>()
  const readList: EventStore['readList'] = async ({ list, network, limit, select, isConsistent }) => {
    if (select !== 'count') throw new Error('Rows are read where counting is enough')
    const of = JSON.stringify([list, network])
    const done = read.get(of) ?? 0
    const size = sizes[network ?? 'all'] ?? 0
    const count = Math.min(limit, rowsPerCall, size - done)
    read.set(of, done + count)
    const place = encodePlace({ seconds: 1e6 - done - count, blockNumber: 1, network: 'base', logIndex: 0 })
    const readUnits = (isConsistent ? 2 : 1) * Math.max(0.5, count / rowsPerUnit)
    const examinedThrough = done + count < size ? place : undefined
    return { rows: [], count, examined: count, calls: 1, readUnits, examinedThrough }
  }
  return { readList } as EventStore
}

async function countOf(query: string, sizes: Parameters<typeof storeOf>[0], limits = {}) {
  const { total, cost } = await countIn(storeOf(sizes), query, limits)
  return { ...total, cost }
}

async function countIn(store: EventStore, query: string, limits = {}) {
  const { plan } = parseQuery({ endpoint: 'token-events', parameters: [...new URLSearchParams(query)] })
  const cost = noCost()
  const budget = { ...COUNT_LIMITS, ...limits, timeLeftMs: () => Number.POSITIVE_INFINITY }
  const total = await countMatches(plan, { store: countCosts(store, { cost }), budget, cost })
  return { total, cost }
}

test('as many matches are counted if each read costs twice as much', async () => {
  const query = `address=${TOKEN}&network=base&minBlock=base:5`
  const exact = await countOf(query, { base: 10_000 })
  const more = await countOf(query, { base: 5_000_000 })

  expect(exact).toMatchObject({ count: 10_000, isExact: true })
  expect(more).toMatchObject({ count: 10_000, isExact: false })
  expect(more.cost.readUnits).toBeLessThanOrEqual((2 * 10_001) / ROWS_PER_UNIT)
})

test('counting ten thousand matches takes only the units and calls of ten thousand rows', async () => {
  const { cost, ...total } = await countOf(`address=${TOKEN}`, { all: 5_000_000 })

  expect(total).toEqual({ count: 10_000, isExact: false })
  expect(cost.readUnits).toBeLessThanOrEqual(10_001 / ROWS_PER_UNIT)
  expect(cost.calls).toBe(3)
})

test('the matches of all parts are added up, whatever the order of the answer', async () => {
  const sizes = Object.fromEntries(NETWORKS.map((network, index) => [network, 1000 * index + 1]))

  for (const order of ['', '&blockNumber=asc', '&createdAt=asc&blockNumber=desc']) {
    expect(await countOf(`event=Minted${order}`, sizes)).toMatchObject({ count: 10_000, isExact: false })
    const ofTwo = await countOf(`event=Minted&network=base,bnb-chain${order}`, sizes)
    expect(ofTwo).toMatchObject({ count: 3002, isExact: true })
  }
})

test('ten thousand matches are counted even if their rows are three times as large as ordinary rows', async () => {
  const store = storeOf({ all: 10_000 }, { rowsPerUnit: ROWS_PER_UNIT / 3 + 1 })
  const { total } = await countIn(store, `address=${TOKEN}`)

  expect(total).toEqual({ count: 10_000, isExact: true })
})

test('all parts together are not read far beyond the counted rows', async () => {
  const { cost } = await countOf('event=Minted', Object.fromEntries(NETWORKS.map(name => [name, 1_000_000])))

  expect(cost.rowsExamined).toBeLessThan(10_100)
})

test('if the share of the budget is used up, the count so far is returned', async () => {
  const { cost, ...total } = await countOf(`address=${TOKEN}`, { all: 9000 }, { unitsOfMatches: 100 })

  expect(total).toEqual({ count: 100 * ROWS_PER_UNIT, isExact: false })
  // The read stops at the budget, even within a call.
  expect(cost.readUnits).toBe(100)
})

test('the lists of ten contracts on every network are counted, even if each takes several calls', async () => {
  const tokens = Array.from({ length: 10 }, (_, index) => `0x${String(index).repeat(40)}`)
  const sizes = Object.fromEntries(NETWORKS.map(network => [network, 45]))
  const store = storeOf(sizes, { rowsPerCall: 9 })
  const { total } = await countIn(store, `address=${tokens}&blockNumber=asc`)

  expect(total).toEqual({ count: tokens.length * NETWORKS.length * 45, isExact: true })
})
