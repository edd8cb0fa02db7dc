import { compareByTime, placeOf } from '../../../lib/events/place.ts'
import { FeedUnavailableError } from '../../../lib/feed/publisher/change-feed.ts'
import type { PublishOptions } from '../../../lib/feed/publisher/publish-changes.ts'
import type { PublishObserver } from '../../../lib/feed/publisher/serving-context.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { listen } from '../../support/http/listen.ts'
import { createFastClock } from '../../support/publisher/fast-clock.ts'
import {
  feedOf,
  publishOnce,
  SILENT,
  statesInMemory,
  subscriptionOf,
} from '../../support/publisher/publish-once.ts'
import { type Reaction, type Receiver, SECRET, startReceiver } from '../../support/publisher/receiver.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { byId } from '../../support/records/by-id.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { until } from '../../support/runner/until.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'

const { jest } = import.meta
const engine = useEngine()
const RECORDS = eventSetOf({ blocks: 6, events: 30 }, 9).toSorted((a, b) =>
  compareByTime(placeOf(a), placeOf(b)),
)
const stopLater = useStops()

async function setup(records = RECORDS, given: object = {}) {
  const tableName = await engine.createEventsTable(records)
  const table = { client: engine.reader, tableName }
  const receiver = stopLater(await startReceiver())
  const run = {
    feed: feedOf(table),
    states: statesInMemory(),
    subscriptions: [subscriptionOf({ to: receiver.url, from: 'beginning', ...given })],
    clock: createFastClock(),
  }
  const failures: { pauseMs: number; reason: string }[] = []
  const observer: PublishObserver = { ...SILENT, failed: failure => failures.push(failure) }
  const once = (options: Partial<PublishOptions> = {}) => publishOnce({ ...run, observer, ...options })
  const write = (added: typeof RECORDS) => writeEvents({ client: engine.client, tableName }, added)
  return { receiver, once, write, failures, ...run }
}

const idsOf = ({ deliveries }: Receiver) => deliveries.map(({ id }) => id)

test('all changes arrive, signed with each of two secrets, in batches of a hundred at most', async () => {
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const { receiver, once } = await setup(RECORDS, { secret: [other, SECRET] })
  const [served] = await once()

  const end = { isUpToDate: true, delivered: RECORDS.length, ended: undefined, error: undefined }
  expect(served).toMatchObject(end)
  expect(receiver.records()).toEqual(byId(RECORDS))
  const sizes = receiver.deliveries.map(({ changes }) => changes.length)
  expect(sizes.slice(0, -1)).toEqual(sizes.slice(1).map(() => 100))
  const [first] = receiver.deliveries
  expect(JSON.parse(first?.body ?? '')).toEqual({
    type: 'changes',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    data: { subscription: 'test', changes: first?.changes },
  })
  expect(first?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': expect.stringMatching(/^msg_[\w-]{36}$/),
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/),
  })
})

test.each<[string, Reaction, reason: string]>([
  ['an error', { status: 500 }, 'answered 500'],
  [
    'a redirect',
    { status: 302, headers: { location: '/elsewhere' } },
    'answered 302, but the publisher follows no redirects',
  ],
  [
    'another protocol',
    { status: 101, headers: { connection: 'upgrade', upgrade: 'websocket' } },
    'answered 101',
  ],
  ['a broken connection', 'resets', 'did not answer (ECONNRESET)'],
  ['no answer', 'hangs', 'did not answer within 600 s'],
  ['a lost answer', 'accepts, and resets', 'did not answer (ECONNRESET)'],
])(
  'behind %s the same batch comes again, after a pause that grows and outlasts the run',
  async (_, reaction, reason) => {
    const { receiver, once, clock, states, failures } = await setup(RECORDS.slice(0, 20))
    let limit = new AbortController()
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
      limit = new AbortController()
      return limit.signal
    })
    receiver.react = () => {
      // A request that hangs reaches its time limit as soon as it has arrived.
      if (reaction === 'hangs') limit.abort()
      return reaction
    }
    for (let run = 0; run < 12; run++) {
      await once()
      // This run does not deliver, because the retry is not due yet.
      const [early] = await once()
      expect(early).toMatchObject({ failures: run + 1, isUpToDate: false })
      clock.pass(failures.at(-1)?.pauseMs ?? 0)
    }

    timeout.mockRestore()
    expect(receiver.deliveries).toHaveLength(12)
    expect(new Set(idsOf(receiver)).size).toBe(1)
    expect(new Set(failures.map(failure => failure.reason))).toEqual(new Set([`The receiver ${reason}`]))
    const pauses = failures.map(({ pauseMs }) => pauseMs)
    const growth = pauses.map(ms => 0 + Math.round(Math.log2(ms / 1000)))
    expect(growth).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8])
    expect(Math.max(...pauses)).toBeLessThanOrEqual(300_000)
    receiver.react = () => 'accepts'
    await once()
    expect(receiver.records()).toEqual(byId(RECORDS.slice(0, 20)))
    expect(states.texts.get('test')).not.toContain('"pending"')
  },
)

const HOUR_MS = 3_600_000

test.each([
  ['17', [17_000, 17_000]],
  [new Date(Date.now() + HOUR_MS).toUTCString(), [HOUR_MS / 60, HOUR_MS]],
  ['99999999', [24 * HOUR_MS, 24 * HOUR_MS]],
  ['0', [800, 2000]],
] as const)(
  'after a 503 with Retry-After %s, the pause before the next attempt is in the range %j ms',
  async (retryAfter, [least, most]) => {
    const { receiver, once, failures } = await setup(RECORDS.slice(0, 2))
    receiver.react = () => ({ status: 503, headers: { 'retry-after': retryAfter } })
    await once()

    expect(failures[0]?.pauseMs).toBeGreaterThanOrEqual(least)
    expect(failures[0]?.pauseMs).toBeLessThanOrEqual(most)
  },
)

test('a subscription that is up to date gets what comes while another one waits for its receiver', async () => {
  const { receiver, once, subscriptions, write } = await setup(RECORDS.slice(0, 50))
  const hasAll = () => receiver.records().length === RECORDS.length
  const slow = await listen(async (_, response) => {
    await until(hasAll)
    response.end()
  })
  const served = await once({
    subscriptions: [
      ...subscriptions,
      subscriptionOf({ name: 'slow', to: stopLater(slow).baseUrl, from: 'beginning' }),
    ],
    delivery: { allowLoopback: true, timeoutMs: 600_000 },
    observer: {
      ...SILENT,
      delivered: ({ subscription }) => {
        if (subscription !== 'slow' && !hasAll()) void write(RECORDS)
      },
    },
  })

  expect(served[0]).toMatchObject({ delivered: RECORDS.length })
})

test('a scan without a match makes progress, even if the feed fails again and again', async () => {
  const { once } = await setup([])
  let reads = 0
  const asked: (string | undefined)[] = []
  async function read({ cursor }: { cursor: string | undefined }) {
    reads += 1
    if (reads % 3 === 0) throw new FeedUnavailableError(new Error('busy'))
    asked.push(cursor)
    const next = Number(cursor ?? 0) + 1
    return { changes: [], next: String(next), isPartial: next < 8, isUpToDate: next >= 8 }
  }
  for (let run = 0; run < 4; run++) await once({ feed: { read } })

  expect(asked).toEqual([undefined, '1', '2', '3', '4', '5', '6', '7'])
})

test('the lag of a subscription counts from its last idle run, however long ago it stored its cursor', async () => {
  const { receiver, once, write, clock } = await setup(RECORDS.slice(0, -1))
  const TEN_MINUTES_MS = 600_000
  await once()
  for (let run = 0; run < 6; run++) {
    clock.pass(TEN_MINUTES_MS)
    await once()
  }
  await write(RECORDS.slice(-1))
  receiver.react = () => ({ status: 503 })
  const [served] = await once()

  expect(served).toMatchObject({ failures: 1 })
  expect(served?.lagMs).toBeLessThan(TEN_MINUTES_MS)
})

test.each([
  [true, 60],
  [false, 10],
])(
  'a receiver that gets new changes all the time lags only if more follow them (%s)',
  async (isPartial, minutes) => {
    const { once, clock } = await setup([])
    const stop = new AbortController()
    let reads = 0
    async function read() {
      reads += 1
      clock.pass(600_000)
      const changes = [{ change: 'added' as const, record: makeEvent('Minted') }]
      return { changes, next: `${reads}`, isPartial, isUpToDate: false }
    }
    const delivered = () => reads === 6 && stop.abort()
    const [served] = await once({ feed: { read }, observer: { ...SILENT, delivered }, stop: stop.signal })

    expect(Math.round((served?.lagMs ?? 0) / 60_000)).toBe(minutes)
  },
)

test('a name that leads into an internal network is not connected to', async () => {
  let asked = 0
  const server = await listen((_, response) => {
    asked += 1
    response.end()
  })
  const { port } = new URL(stopLater(server).baseUrl)
  const { once, failures } = await setup(RECORDS.slice(0, 1))
  await once({
    subscriptions: [subscriptionOf({ to: `http://localhost:${port}/`, from: 'beginning' })],
    delivery: { allowLoopback: false },
  })

  expect(failures).toHaveLength(1)
  const reason = /^The receiver was not contacted: its address is (127\.0\.0\.1|::1), which is not public$/
  expect(failures[0]?.reason).toMatch(reason)
  expect(asked).toBe(0)
})

test('other filters under the same name are refused, another receiver is not', async () => {
  const { receiver, once, states } = await setup()
  await once()
  const changed = subscriptionOf({ to: receiver.url, network: 'base' })
  const [served] = await once({ subscriptions: [changed] })
  const moved = stopLater(await startReceiver())

  expect(served?.error?.message).toMatch(
    /^The subscription "test" was started with other filters.* \(in npm run publish, another --state\)$/,
  )
  const toMoved = await once({ subscriptions: [subscriptionOf({ to: moved.url })] })
  expect(toMoved).toMatchObject([{ isUpToDate: true }])
  states.texts.set('test', '{"version":2}')
  const [unread] = await once()
  expect(unread?.error?.message).toMatch(/is damaged, or another version wrote it\. To start again, /)
})

test('large changes make small batches', async () => {
  const large = Array.from({ length: 30 }, (_, index) => ({
    ...makeEvent('Minted', { bucketHash: 'x'.repeat(20_000), blockNumber: 100, logIndex: index }),
  }))
  const { receiver, once } = await setup(
    large.map(record => ({ ...record, id: record.id.replace(/\d+$/, String(record.logIndex)) })),
  )
  await once()

  expect(receiver.records()).toHaveLength(30)
  for (const { body } of receiver.deliveries) expect(body.length).toBeLessThanOrEqual(100_000)
})
