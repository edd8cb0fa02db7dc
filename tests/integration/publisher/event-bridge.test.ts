import type { EventRecord } from '../../../lib/events/record.ts'
import { createFastClock } from '../../support/publisher/fast-clock.ts'
import {
  feedOf,
  publishOnce,
  SILENT,
  statesInMemory,
  subscriptionOf,
} from '../../support/publisher/publish-once.ts'
import { type BusEvent, startBus, type Verdict } from '../../support/publisher/start-bus.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { byId } from '../../support/records/by-id.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { createRandom } from '../../support/records/random.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const RECORDS = eventSetOf({ blocks: 4, events: 10 }, 9)
const stopLater = useStops()

async function setup(records: EventRecord[], judge?: (event: BusEvent) => Verdict) {
  const tableName = await engine.createEventsTable(records)
  const table = { client: engine.reader, tableName }
  const bus = stopLater(await startBus(judge && { judge }))
  const clock = createFastClock()
  const failures: string[] = []
  const run = {
    subscriptions: [subscriptionOf({ to: 'eventbridge:orders', from: 'beginning' })],
    feed: feedOf(table),
    states: statesInMemory(),
    delivery: {
      ...{ allowLoopback: false, client: bus.client, clock },
      publicBaseUrl: 'https://events.example.org/',
    },
    observer: { ...SILENT, failed: ({ reason }: { reason: string }) => failures.push(reason) },
    clock,
  }
  return { bus, failures, clock, once: () => publishOnce(run) }
}

type Detail = { number: number; record: EventRecord; reference?: string }

const detailsOf = ({ taken }: Awaited<ReturnType<typeof startBus>>) =>
  taken.map(({ Detail }) => JSON.parse(Detail) as Detail)

test('each change is an event of the bus, numbered, within the limits of EventBridge', async () => {
  const { bus, once } = await setup(RECORDS)
  expect(await once()).toMatchObject([{ isUpToDate: true, delivered: RECORDS.length }])

  const details = detailsOf(bus)
  expect(byId(details.map(({ record }) => record))).toEqual(byId(RECORDS))
  expect(details.map(({ number }) => number)).toEqual(RECORDS.map((_, index) => index + 1))
  const sent = { EventBusName: 'orders', Source: 'blockchain-events', DetailType: 'Event Added' }
  expect(bus.taken[0]).toMatchObject(sent)
  const batch = expect.stringMatching(/^msg_/)
  expect(details[0]).toMatchObject({ subscription: 'test', batch, change: 'added' })
})

test('what is not taken is put again, in order, and a batch that is not taken whole comes again', async () => {
  const random = createRandom(3)
  let refusals = 0
  const { bus, once, failures, clock } = await setup(RECORDS, ({ Detail }) => {
    // The bus rejects event 12 four times, which is more often than one run sends it.
    if (Detail.includes('"number":12,') && refusals++ < 4) return 'ThrottlingException'
    return random.chance(0.1) ? 'InternalFailure' : 'takes'
  })
  for (let run = 0; run < 50; run++) {
    const [served] = await once()
    if (served?.isUpToDate) break
    clock.pass(400_000)
  }

  const details = detailsOf(bus)
  const last = new Map(details.map(({ number, record }) => [number, record.id]))
  expect([...last.keys()].toSorted((a, b) => a - b)).toEqual(RECORDS.map((_, index) => index + 1))
  // All attempts with the same sequence number send the same event.
  for (const { number, record } of details) expect(record.id).toBe(last.get(number))
  expect(failures.join()).toMatch(/^The bus rejected an event: (InternalFailure|ThrottlingException)/)
}, 120_000)

test('records of many kilobytes are spread over requests, and one beyond the limit is sent by reference', async () => {
  const huge = { ...makeEvent('Minted', { bucketHash: 'y'.repeat(300_000) }) }
  const large = Array.from({ length: 6 }, (_, index) =>
    makeEvent('Minted', { bucketHash: 'x'.repeat(60_000), logIndex: 500 + index }),
  )
  const { bus, once, failures } = await setup([huge, ...large])
  await once()

  expect(failures).toEqual([])
  const details = detailsOf(bus)
  expect(details).toHaveLength(7)
  const { bucketHash, creator, initialOwner, tokenId, quantity, ...common } = huge
  expect(details.find(({ reference }) => reference)).toMatchObject({
    record: common,
    reference: `https://events.example.org/v1/token-events?network=${huge.network}&transactionHash=${huge.transactionHash}`,
  })
  expect(details.filter(({ record }) => 'bucketHash' in record)).toHaveLength(6)
})
