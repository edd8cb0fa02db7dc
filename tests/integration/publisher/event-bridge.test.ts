import type { EventRecord } from '../../../lib/events/record.ts'
import { feedOf, publishOnce, SILENT } from '../../support/publisher/publish-once.ts'
import { startBus } from '../../support/publisher/start-bus.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { byId } from '../../support/records/by-id.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const RECORDS = eventSetOf({ blocks: 4, events: 10 }, 9)
const stopLater = useStops()

async function setup(records: EventRecord[]) {
  const bus = stopLater(await startBus())
  const failures: string[] = []
  const tableName = await engine.createEventsTable(records)
  const once = () =>
    publishOnce({
      to: 'eventbridge:orders',
      feed: feedOf({ client: engine.reader, tableName }),
      delivery: { allowLoopback: false, client: bus.client, publicBaseUrl: 'https://events.example.org/' },
      observer: { ...SILENT, failed: ({ reason }) => failures.push(reason) },
    })
  return { bus, failures, once }
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
