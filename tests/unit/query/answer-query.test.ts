import { placeOf } from '../../../lib/events/place.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { answerQuery } from '../../../lib/query/answer-query.ts'
import { StoreUnavailableError } from '../../../lib/query/errors.ts'
import type { EventStore, ListReading } from '../../../lib/query/event-store.ts'
import { makeEvent } from '../../support/records/make-event.ts'

/** Keeps the list in memory, newest record first. The `failing` reads throw. */
function storeOf(size: number, failing: (reading: ListReading) => boolean = () => false): EventStore {
  const records: EventRecord[] = Array.from({ length: size }, (_, index) =>
    makeEvent('OwnershipTransferred', { logIndex: size - index }),
  )
  const places = records.map(placeOf)
  const readList: EventStore['readList'] = async reading => {
    if (failing(reading)) throw new StoreUnavailableError(new Error('as arranged'))
    const { after, limit, select } = reading
    const start = after === undefined ? 0 : places.findIndex(place => place < after)
    const end = start < 0 ? size : Math.min(size, start + limit)
    const examined = start < 0 ? 0 : end - start
    const found = start < 0 || select === 'count' ? [] : records.slice(start, end)
    return {
      rows: found.map(record => ({ place: placeOf(record), bytes: 100, item: record })),
      count: examined,
      examined,
      calls: 1,
      readUnits: 1,
      examinedThrough: end < size ? places[end - 1] : undefined,
    }
  }
  const loadRecords: EventStore['loadRecords'] = async rows => ({
    records: rows.map(row => row.item as EventRecord),
    ...{ calls: 0, examined: 0, readUnits: 0 },
  })
  return { readList, loadRecords } as Partial<EventStore> as EventStore
}

const query = (...parameters: [string, string][]) => ({
  endpoint: 'token-events' as const,
  parameters: [['address', `0x${'ab12'.repeat(10)}`] as const, ...parameters],
})

test.each([
  [10_000, { count: 10_000, isExact: true }],
  [10_020, { count: 10_000, isExact: false }],
])('the total of %i matches is the same on every page', async (size, total) => {
  const store = storeOf(size)
  for (const skip of ['0', '9999', '10000', '10019', '10020', '20000']) {
    const answer = await answerQuery(query(['count', 'true'], ['skip', skip]), { store })

    expect([skip, answer.total]).toEqual([skip, total])
  }
})

const isCounting = ({ select }: ListReading) => select === 'count'
const lagging = storeOf(30)
const { readList, ...others } = storeOf(80)
const readEither: EventStore['readList'] = reading =>
  (isCounting(reading) ? lagging : { readList }).readList(reading)

test.each([
  ['if counting fails', { store: storeOf(80, isCounting) }],
  ['if counting could take the time of the page', { store: storeOf(80), timeLeftMs: () => 300 }],
  ['if a replica that lags behind has fewer', { store: { ...others, readList: readEither } }],
])('%s, the page is returned with the number of matches seen so far', async (_, options) => {
  const { records, total } = await answerQuery(query(['count', 'true']), options)

  expect(records).toHaveLength(50)
  expect(total).toEqual({ count: 50, isExact: false })
})
