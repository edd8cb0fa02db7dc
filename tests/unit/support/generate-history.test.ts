import { usersOf } from '../../../lib/events/lists.ts'
import { eventRecordSchema } from '../../../lib/events/record.ts'
import { createInvariantCheck } from '../../../lib/ingest/load/check-invariants.ts'
import { BUSY_TOKEN, BUSY_WALLET, generateHistory, STRANGER } from '../../bench/scale/generate-history.ts'

const EVENTS = 5_000
const history = [...generateHistory(EVENTS)]

test('every event is one that the service could have stored', () => {
  for (const record of history) expect(eventRecordSchema.parse(record)).toEqual(record)
})

test('a longer history has the same newest events, and older ones behind them', () => {
  expect([...generateHistory(EVENTS / 2)]).toEqual(history.slice(0, EVENTS / 2))
  const seconds = history.map(({ createdAt }) => createdAt)
  expect(seconds).toEqual(seconds.toSorted().reverse())
})

test('the events keep what order and paging rely on', () => {
  const check = createInvariantCheck()
  for (const record of history) expect(check(record)).toBe('new')
})

test('one wallet and one token have a fifth of all events each, and meet in a fifth of these', () => {
  const isOfWallet = history.map(record => usersOf(record).includes(BUSY_WALLET))
  const isOfToken = history.map(({ address }) => address === BUSY_TOKEN)
  const count = (is: (index: number) => boolean | undefined) => history.filter((_, index) => is(index)).length
  expect(count(index => isOfWallet[index])).toBe(EVENTS / 5)
  expect(count(index => isOfToken[index])).toBe(EVENTS / 5)
  expect(count(index => isOfWallet[index] && isOfToken[index])).toBe(EVENTS / 25)
})

test('the stranger acts often, and never in an event of the busy token', () => {
  const ofStranger = history.filter(record => usersOf(record).includes(STRANGER))
  expect(ofStranger.length).toBeGreaterThan(EVENTS / 7)
  expect(ofStranger.filter(({ address }) => address === BUSY_TOKEN)).toEqual([])
})
