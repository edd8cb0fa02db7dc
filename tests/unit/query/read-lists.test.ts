import fc from 'fast-check'
import type { EventList } from '../../../lib/events/lists.ts'
import { encodePlace, type Place } from '../../../lib/events/place.ts'
import { equalsOneOf } from '../../../lib/query/condition.ts'
import type { EventStore, ListPage } from '../../../lib/query/event-store.ts'
import type { ListChoice, ListsPlan } from '../../../lib/query/plan-query.ts'
import { readLists } from '../../../lib/query/streams/read-lists.ts'

/** The times of a list's rows in seconds. A row that is in every list is a match. */
type Rows = readonly number[]

const ITEM_BYTES = 285
const SPAN_SECONDS = 1_000_000

const placeAt = (seconds: number): Place =>
  encodePlace({ seconds, blockNumber: seconds, network: 'base', logIndex: 0 })

/** The store returns the newest row first, and charges as DynamoDB does. */
function storeOf(lists: Rows[], matches: ReadonlySet<number>) {
  let units = 0
  const places = lists.map(rows => rows.map(placeAt))
  const readList: EventStore['readList'] = async ({ list, after, limit }) => {
    const index = Number((list as { address: string }).address)
    const rows = lists[index] ?? []
    const start = after === undefined ? 0 : (places[index] ?? []).findIndex(place => place < after)
    const ahead = start < 0 ? [] : rows.slice(start)
    const examined = ahead.slice(0, limit)
    const found = examined.filter(second => matches.has(second))
    const readUnits = Math.max(0.5, Math.ceil((examined.length * ITEM_BYTES) / 4096) / 2)
    units += readUnits
    const last = examined.at(-1)
    const page: ListPage = {
      rows: found.map(second => ({ place: placeAt(second), bytes: 0, item: second })),
      count: found.length,
      examined: examined.length,
      calls: 1,
      readUnits,
      examinedThrough: ahead.length > examined.length && last !== undefined ? placeAt(last) : undefined,
    }
    return page
  }
  const store = { readList } as EventStore
  return { store, units: () => units }
}

const CONDITION = equalsOneOf(['x'], ['x'])
const choiceOf = (index: number, rows: Rows, matches: ReadonlySet<number>): ListChoice => ({
  list: { of: 'token', address: String(index) } satisfies EventList,
  where: rows.every(second => matches.has(second)) ? [] : [CONDITION],
})

async function firstPage(
  lists: Rows[],
  { matches, use, limit }: { matches: ReadonlySet<number>; use: number[]; limit: number },
) {
  const { store, units } = storeOf(lists, matches)
  const choices = use.map(index => choiceOf(index, lists[index] ?? [], matches))
  const plan: ListsPlan = { read: 'lists', lists: choices, direction: 'desc' }
  const stream = readLists(plan, {}, { store, select: 'rows' })
  while (stream.ready() < limit + 1 && !stream.done()) await stream.fill(limit + 1)
  return { places: stream.take(limit).map(({ place }) => place), units: units() }
}

async function comparedWithBest(noise: Rows[], found: Rows, limit: number) {
  const matches = new Set(found)
  const lists = noise.map(rows => [...new Set([...rows, ...found])].toSorted((a, b) => b - a))
  const ours = await firstPage(lists, { matches, use: lists.map((_, index) => index), limit })
  const alone = await Promise.all(lists.map((_, index) => firstPage(lists, { matches, use: [index], limit })))
  for (const { places } of alone) expect(ours.places).toEqual(places)
  return { ours: ours.units, best: Math.min(...alone.map(({ units }) => units)) }
}

const spread = (count: number, from: number, to: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.floor(from + ((to - from) * index) / count))

const FIRST_READS_FIND_NONE = [30, 3000].map(count => spread(count, SPAN_SECONDS / 3, SPAN_SECONDS))

test('reading competing lists costs little more than reading the best one, and finds the same', async () => {
  const rows = fc
    .tuple(fc.nat(1000), fc.double({ min: 0, max: 0.9, noNaN: true }))
    .map(([count, from]) => spread(count, Math.floor(from * SPAN_SECONDS), SPAN_SECONDS))
  const found = fc
    .tuple(fc.integer({ min: 0, max: 300 }), fc.double({ min: 0.1, max: 1, noNaN: true }))
    .map(([count, to]) => spread(count, 1, Math.floor(to * SPAN_SECONDS)))
  const ratios: number[] = []
  await fc.assert(
    fc.asyncProperty(fc.array(rows, { minLength: 2, maxLength: 4 }), found, async (noise, matches) => {
      const { ours, best } = await comparedWithBest(noise, matches, 50)
      ratios.push(ours / best)
      // `noise.length` allows for at least one read of each list, and `2 * best` for repeated reads.
      expect(ours).toBeLessThanOrEqual(2 * best + noise.length)
    }),
    { seed: 5, numRuns: 25, examples: [[FIRST_READS_FIND_NONE, spread(12, 1, SPAN_SECONDS / 3)]] },
  )
  const sorted = ratios.toSorted((a, b) => a - b)
  expect(sorted[sorted.length >> 1]).toBeLessThanOrEqual(1.5)
})
