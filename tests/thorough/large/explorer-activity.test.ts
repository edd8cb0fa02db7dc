import {
  createEventsClient,
  type EventPage,
  type EventsClient,
} from '../../../lib/client/create-events-client.ts'
import { NETWORKS } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { askTotal } from '../../../lib/site/explorer/activity/ask-page.ts'
import { countActivity } from '../../../lib/site/explorer/activity/count-activity.ts'
import {
  type Activity,
  isReadable,
  KINDS,
  readActivity,
} from '../../../lib/site/explorer/activity/read-activity.ts'
import { readQuestion } from '../../../lib/site/explorer/question/question.ts'
import { requestOf } from '../../../lib/site/explorer/question/request-of.ts'
import { listenWith } from '../../support/http/listen.ts'
import { serveEvents } from '../../support/http/serve-events.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { tokenEvents, userEvents } from '../../support/requests/api-request.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const USER = ADDRESS_POOL[2]
/** So many events that the explorer requests counts instead of reading all events. */
const many = eventSetOf({ blocks: 8, events: 4, crowd: 2100 }, 33)

const HOUR = 3600
const NEWEST = Date.parse('2024-05-01T12:00:00Z') / 1000
const at = (index: number, seconds: number): EventRecord =>
  makeEvent(index % 3 === 0 ? 'Minted' : 'TransferSingle', {
    blockNumber: 1000 - index,
    logIndex: index,
    createdAt: new Date(seconds * 1000).toISOString(),
  })

const stopLater = useStops()

async function serve(records: EventRecord[]): Promise<string> {
  const { store } = await serveEvents(engine, records)
  return stopLater(await listenWith(store)).baseUrl
}

const clientOver = async (records: EventRecord[]) => createEventsClient(await serve(records))

function meteredClient(baseUrl: string) {
  const spent = { requests: 0, readUnits: 0 }
  const metered: typeof fetch = async (...asked) => {
    const response = await fetch(...asked)
    const [, units] = /([\d.]+) read units/.exec(response.headers.get('server-timing') ?? '') ?? []
    spent.requests += 1
    spent.readUnits += Number(units)
    return response
  }
  return { spent, client: createEventsClient(baseUrl, { fetch: metered }) }
}

/** The real service counts up to 10,000. */
function countingUpTo(most: number, client: EventsClient): EventsClient {
  const capped = (page: EventPage): EventPage =>
    (page.total ?? 0) > most ? { ...page, total: undefined, totalAtLeast: most } : page
  return {
    ...client,
    tokenEvents: (async (...asked: Parameters<EventsClient['tokenEvents']>) =>
      capped(await client.tokenEvents(...asked))) as EventsClient['tokenEvents'],
  }
}

async function activityAt(line: string, client: EventsClient): Promise<Activity> {
  const question = readQuestion(line)
  const asker = { client, signal: new AbortController().signal }
  const total = await askTotal(requestOf(question), asker)
  const activity = isReadable(total)
    ? await readActivity(question, asker)
    : await countActivity(question, { ...asker, total })
  if (!activity) throw new Error('There is nothing to draw')
  return activity
}

function compare({ bars }: Activity, records: EventRecord[]) {
  const inSpan = ({ createdAt }: EventRecord, { from, to }: { from: number; to: number }) =>
    Date.parse(createdAt) >= from * 1000 && Date.parse(createdAt) <= to * 1000
  const shown = bars.map(({ counts }) => KINDS.map(kind => counts.get(kind) ?? 0))
  const expected = bars.map(bar =>
    KINDS.map(kind => records.filter(record => record.event === kind && inSpan(record, bar)).length),
  )
  return { shown, expected, sum: shown.flat().reduce((sum, count) => sum + count, 0) }
}

describe('over two thousand events and more', () => {
  let baseUrl: string
  let client: EventsClient
  beforeAll(async () => {
    baseUrl = await serve(many)
    client = createEventsClient(baseUrl)
  })

  test.each([
    ['all events, which are counted', '', tokenEvents([])],
    ['some networks', 'network=base,ethereum,polygon', tokenEvents([['network', 'base,ethereum,polygon']])],
    ['some kinds', 'event=Minted,TransferBatch', tokenEvents([['event', 'Minted,TransferBatch']])],
    ['a wallet', `wallet=${USER}`, userEvents(USER ?? '', [])],
    [
      'a wallet, oldest first, by pages',
      `wallet=${USER}&createdAt=asc&limit=5&skip=3`,
      userEvents(USER ?? '', []),
    ],
    ['a token', `address=${USER}`, tokenEvents([['address', USER ?? '']])],
  ])('the bars of %s hold each event once', async (_, line, request) => {
    const { all } = validAnswer(many, request)
    const activity = await activityAt(line, client)
    const { shown, expected, sum } = compare(activity, all)

    expect([activity.isWhole, shown]).toEqual([true, expected])
    expect([sum, sum > 0]).toEqual([all.length, true])
  })

  test.each([
    ['a wallet', `wallet=${USER}`, 1],
    ['all events, in a list for each network', '', NETWORKS.length],
  ])('the chart of %s costs no more than the total, and a look into each list', async (_, line, lists) => {
    const total = meteredClient(baseUrl)
    await askTotal(requestOf(readQuestion(line)), { ...total, signal: new AbortController().signal })
    const both = meteredClient(baseUrl)
    await activityAt(line, both.client)
    const ofChart = both.spent.readUnits - total.spent.readUnits

    expect(ofChart).toBeLessThanOrEqual(total.spent.readUnits + (both.spent.requests * lists) / 2)
    expect(ofChart).toBeGreaterThan(0)
  })
})

test('where there are more events than are counted, the bars show the last span in which they can be', async () => {
  const hourly = Array.from({ length: 100 }, (_, index) => at(index, NEWEST - index * HOUR))
  const activity = await activityAt('', countingUpTo(30, await clientOver(hourly)))
  const { shown, expected, sum } = compare(activity, hourly)

  expect([activity.isWhole, activity.bars[0]?.from]).toEqual([false, NEWEST - 24 * HOUR])
  expect([shown, sum]).toEqual([expected, 25])
  expect(activity.bars.some(({ isAtLeast }) => isAtLeast)).toBe(false)
})

test('a bar that holds more than are counted says so', async () => {
  const crowded = Array.from({ length: 100 }, (_, index) => at(index, NEWEST - (index < 90 ? 0 : index * 20)))
  const { bars } = await activityAt('event=TransferSingle', countingUpTo(30, await clientOver(crowded)))

  expect(bars.filter(({ isAtLeast }) => isAtLeast)).toHaveLength(1)
  expect(bars.at(-1)).toMatchObject({ isAtLeast: true, counts: new Map([['TransferSingle', 30]]) })
})

test('events of one moment have no bars', async () => {
  const client = await clientOver([at(0, NEWEST), at(1, NEWEST)])

  await expect(activityAt('', client)).rejects.toThrow('There is nothing to draw')
})

test('a kind whose first page is partial and empty is in the chart like the others', async () => {
  const client = await clientOver(Array.from({ length: 60 }, (_, index) => at(index, NEWEST - index * HOUR)))
  const counting = countingUpTo(20, client)
  const tokenEvents: EventsClient['tokenEvents'] = async (query = {}, called = {}) => {
    const { event, limit, count, cursor, ...rest } = query
    if (cursor === 'late') return counting.tokenEvents({ event, limit, count, ...rest }, called)
    const page = await counting.tokenEvents(query, called)
    // The service gives this response if the request has used up its reads before the first match.
    const isFirst = event !== undefined && limit === 1 && !count && cursor === undefined
    return isFirst ? { ...page, records: [], isPartial: true, next: 'late' } : page
  }
  const kindsOf = ({ bars }: Activity) =>
    [...new Set(bars.flatMap(({ counts }) => [...counts.keys()]))].sort()

  for (const each of [counting, { ...counting, tokenEvents }])
    expect(kindsOf(await activityAt('', each))).toEqual(['Minted', 'TransferSingle'])
})
