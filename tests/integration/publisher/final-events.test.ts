import type { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { indexStateKey } from '../../../lib/store/format/checkpoint.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { feedOf, publishOnce, statesInMemory, subscriptionOf } from '../../support/publisher/publish-once.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { useEngine } from '../../support/store/engine.ts'

const { jest } = import.meta
const engine = useEngine()

const BEGUN = Date.parse('2024-01-01T00:00:00Z') / 1000
const secondsOf = (blockNumber: number) => BEGUN + 2 * blockNumber

const eventOf = (network: Network, blockNumber: number): EventRecord =>
  makeEvent('Minted', {
    network,
    blockNumber,
    transactionHash: `0x${String(blockNumber).padStart(64, '0')}`,
    createdAt: new Date(1000 * secondsOf(blockNumber)).toISOString(),
  })

async function setup() {
  const tableName = await engine.createEventsTable()
  const feed = feedOf({ client: engine.reader, tableName })
  const states = statesInMemory()
  const subscriptions = [subscriptionOf({ to: 'eventbridge:orders', from: 'beginning', finalized: true })]
  /** Also stores a checkpoint as a running indexer does. */
  async function index(network: Network, blocks: number[], through: number, final?: number) {
    await writeEvents(
      { client: engine.client, tableName },
      blocks.map(block => eventOf(network, block)),
    )
    const finality = final !== undefined && { finalizedBlock: final, finalizedTimestamp: secondsOf(final) }
    const Item = {
      ...indexStateKey(network),
      ...{ fence: 1, leased: true, blockNumber: through, timestamp: secondsOf(through), ...finality },
    }
    await engine.documents.send(new PutCommand({ TableName: tableName, Item }))
  }

  return {
    feed,
    states,
    index,
    /**
     * Returns the networks of the accepted events. Whenever the bus is about to accept a request, base gets a new event
     * in a final block: ten blocks after `busyFrom`, then every ten blocks up to block 90.
     */
    async publish(busyFrom = 90): Promise<Network[]> {
      const networks: Network[] = []
      let block = busyFrom
      const client = {
        async send({ input: { Entries = [] } }: PutEventsCommand) {
          networks.push(...Entries.map(({ Detail = '' }) => JSON.parse(Detail).record.network))
          block += 10
          if (block < 100) await index('base', [block], block, block)
          return { Entries: Entries.map((_, index) => ({ EventId: String(index) })) }
        },
        destroy: () => undefined,
      } as unknown as EventBridgeClient
      await publishOnce({ subscriptions, feed, states, delivery: { allowLoopback: false, client } })
      return networks
    },
  }
}

test('a network that always has new events does not keep another one waiting', async () => {
  const { index, publish } = await setup()
  await index('polygon', [10], 10, 10)
  await index('base', [10], 10, 10)
  const networks = await publish(10)

  expect(networks.slice(0, 3)).toContain('polygon')
  expect(networks.filter(network => network === 'base')).toHaveLength(9)
})

test('a state of an earlier version, with a cursor for each network, is continued, and its networks take turns', async () => {
  const { index, publish, feed, states } = await setup()
  await index('polygon', [10], 10, 10)
  await index('base', [10], 10, 10)
  const { signal } = new AbortController()
  const cursorOf = async (network: Network) => {
    const query = { network: [network], finalized: undefined, limit: 100 }
    const page = await feed.read({ ...query, from: 'beginning', cursor: undefined }, signal)
    return page === 'expired' ? '' : page.next
  }
  const cursors = { base: await cursorOf('base'), polygon: await cursorOf('polygon') }
  const scope = JSON.stringify(['', true, {}])
  const counts = { delivered: 2, failures: 0, retryAt: 0, upToDateAt: 0 }
  states.texts.set('test', JSON.stringify({ version: 1, scope, cursors, ...counts }))
  await index('polygon', [20, 30], 30, 20)
  await index('base', [20], 20, 20)

  expect(await publish(20)).toEqual(['base', 'polygon', ...Array(7).fill('base')])
})

test('a new state, which older publishers refuse, has one cursor, so a poll needs one read for any number of networks', async () => {
  const { index, publish, feed, states } = await setup()
  await index('polygon', [10, 20], 20, 10)
  await index('base', [10], 10, 10)
  await publish()
  const { version, cursors } = JSON.parse(states.texts.get('test') ?? '')
  const read = jest.spyOn(feed, 'read')

  expect({ version, lanes: Object.keys(cursors) }).toEqual({ version: 2, lanes: ['all'] })
  expect(await publish()).toEqual([])
  expect(read).toHaveBeenCalledTimes(1)
})
