import { createPublishHandler, type RunObserver } from '../../../lib/feed/publisher/create-publish-handler.ts'
import { takePublisherLease } from '../../../lib/feed/publisher/publisher-lease.ts'
import { lambdaContext } from '../../support/http/http-events.ts'
import { createFastClock } from '../../support/publisher/fast-clock.ts'
import { feedOf, SILENT } from '../../support/publisher/publish-once.ts'
import { SECRET } from '../../support/publisher/receiver.ts'
import { startBus } from '../../support/publisher/start-bus.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()
const RECORDS = eventSetOf({ blocks: 3, events: 5 }, 9)
const stopLater = useStops()

async function setup(config: string) {
  const table = { client: engine.client, tableName: await engine.createEventsTable(RECORDS) }
  const bus = stopLater(await startBus())
  const told: string[] = []
  const observer: RunObserver = {
    ...SILENT,
    served: ({ subscription, delivered }) => told.push(`${subscription} ${delivered}`),
    busy: () => told.push('busy'),
  }
  const handler = createPublishHandler({
    ...table,
    readConfig: async () => config,
    feed: feedOf(table),
    delivery: { allowLoopback: false, client: bus.client },
    observer,
    follow: false,
    clock: createFastClock(),
  })
  const context = lambdaContext({ getRemainingTimeInMillis: () => 60_000 })
  return { table, bus, told, invoke: () => handler({}, context) }
}

const orders = { name: 'orders', to: 'eventbridge:orders', from: 'beginning' }

test('while another invocation is at work there is nothing to do', async () => {
  const { invoke, told, table } = await setup(JSON.stringify([orders]))
  await takePublisherLease({ ...table, holdMs: 60_000, now: Date.now })
  await invoke()

  expect(told).toEqual(['busy'])
})

test('the invocation fails where something is wrong, in sentences, and the others are served', async () => {
  const local = { name: 'local', to: 'http://127.0.0.1/', secret: SECRET }
  const { invoke, told } = await setup(JSON.stringify([orders, local, { ...orders, user: 'x' }]))

  await expect(invoke()).rejects.toThrow(
    'Subscription 2 (local): to must be an https address; Subscription 3 (orders): user must be 0x and 40 hex digits',
  )
  expect(told).toEqual([`orders ${RECORDS.length}`])
})

test('a configuration that is no JSON is told without being quoted', async () => {
  const { invoke } = await setup(`[{ "secret": "${SECRET}" `)

  await expect(invoke()).rejects.toThrow(/^The configuration of the publisher is not JSON$/)
})
