import type { Call } from '../../../infra/recording/activity.ts'
import { createDynamoChangeStore } from '../../../lib/feed/dynamo-change-store.ts'
import { createTableFeed } from '../../../lib/feed/publisher/change-feed.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { startChain, type TestChain } from '../../support/chain/chain.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { byId } from '../../support/changes/stored-events.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { publishOnce, statesInMemory, subscriptionOf } from '../../support/publisher/publish-once.ts'
import { startReceiver } from '../../support/publisher/receiver.ts'
import { IS_LONG_RUN } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'

knowNodeErrors()
const engine = useEngine()
const NETWORK = 'polygon'
/** The node's finality depth in blocks. */
const FINAL_DEPTH = 64
/** The depths of the reorganisations. A long run uses every depth that the node allows, a short run only some. */
const DEPTHS = IS_LONG_RUN
  ? Array.from({ length: FINAL_DEPTH - 1 }, (_, index) => index + 1)
  : [1, 2, 3, 7, 20, FINAL_DEPTH - 1]

let chain: TestChain
beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain.stop())

function mint(id: number): Call {
  const [ada, bob] = chain.users
  return { by: ada as `0x${string}`, contract: 0, functionName: 'mint', args: [bob, BigInt(id), 1n, ''] }
}

test('with finalized, whatever the depth of a reorganisation, nothing is sent that leaves the chain', async () => {
  const tableName = await engine.createEventsTable()
  const table = { client: engine.reader, tableName }
  const [receiver, other] = [await startReceiver(), await startReceiver()]
  const run = {
    subscriptions: [
      subscriptionOf({ name: 'final', to: receiver.url, from: 'beginning', finalized: true }),
      subscriptionOf({ name: 'all', to: other.url, from: 'beginning' }),
    ],
    feed: createTableFeed({
      store: createDynamoEventStore(table),
      changeStore: createDynamoChangeStore(table),
    }),
    states: statesInMemory(),
  }
  const target = { endpoint: engine.endpoint, tableName, network: NETWORK, rpcUrls: [chain.rpcUrl] } as const
  const indexAndPublish = async () => {
    await indexChain(target)
    await publishOnce(run)
  }
  let id = 0
  try {
    for (let block = 0; block < 5; block++) await chain.mine([mint(id++)])
    await chain.mineEmpty(FINAL_DEPTH)
    for (const depth of DEPTHS) {
      // Each of the newest three blocks has an event. Every fourth of the reorganisation's blocks has a new event.
      for (let block = 0; block < 3; block++) await chain.mine([mint(id++)])
      await indexAndPublish()
      await chain.reorganise(
        depth,
        Array.from({ length: depth }, (_, block) => (block % 4 === 0 ? [mint(id++)] : [])),
      )
      await indexAndPublish()
      // Every event that was sent so far must be on the chain, now and after any later reorganisation.
      const truth = await chainEvents(chain, NETWORK)
      expect(truth).toEqual(expect.arrayContaining(receiver.records()))
    }
    await chain.mineEmpty(FINAL_DEPTH)
    await indexAndPublish()
    const truth = byId(await chainEvents(chain, NETWORK))
    const sent = receiver.deliveries.flatMap(({ changes }) => changes)

    expect(receiver.records()).toEqual(truth)
    expect(sent.filter(({ change }) => change !== 'added')).toEqual([])
    for (const { record } of sent) expect(truth).toContainEqual(record)
    // The reorganisations did remove events.
    expect(
      other.deliveries.flatMap(({ changes }) => changes).some(({ change }) => change === 'removed'),
    ).toBe(true)
    expect(other.records()).toEqual(truth)
  } finally {
    await Promise.all([receiver.stop(), other.stop()])
  }
})
