import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEventsClient } from '../../../lib/client/create-events-client.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { createDynamoChangeStore } from '../../../lib/feed/dynamo-change-store.ts'
import { createClientFeed, createTableFeed } from '../../../lib/feed/publisher/change-feed.ts'
import { openPublisherFile } from '../../../lib/feed/publisher/state-file.ts'
import type { Subscription } from '../../../lib/feed/publisher/subscription.ts'
import type { SubscriptionStates } from '../../../lib/feed/publisher/subscription-state.ts'
import { createSubscriptionStates } from '../../../lib/feed/publisher/subscription-states.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { startChain, type TestChain } from '../../support/chain/chain.ts'
import { liveFrom } from '../../support/chain/chain-life.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { byId, storedEvents } from '../../support/changes/stored-events.ts'
import { indexUnderFaults } from '../../support/faults/index-under-faults.ts'
import { type Listening, listenForChanges } from '../../support/http/listen.ts'
import { hasUser } from '../../support/oracle/oracle.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { createFastClock } from '../../support/publisher/fast-clock.ts'
import { publishOnce, subscriptionOf } from '../../support/publisher/publish-once.ts'
import {
  type Delivered,
  type Reaction,
  type Receiver,
  startReceiver,
} from '../../support/publisher/receiver.ts'
import { createRandom, type Random } from '../../support/records/random.ts'
import { INDEX_RUN_COUNT, SEED } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'

knowNodeErrors()
const engine = useEngine()
const NETWORK = 'polygon'
/**
 * The time limit of a delivery, after which the publisher retries. It is short, so that a hanging receiver takes little
 * time.
 */
const TIMEOUT_MS = 150
const MANY_RUNS = 500
/** The highest number of the moment at which a run may be killed. A run has fewer moments, so some runs survive. */
const MANY_MOMENTS = 40
/** Longer than any pause. */
const LONG_MS = 400_000

const seeds = Array.from({ length: INDEX_RUN_COUNT }, (_, index) => SEED + index)

/** A subscription, its receiver, and the events that the receiver should get. */
interface Party {
  subscription: Subscription
  receiver: Receiver
  isAskedFor: (record: EventRecord) => boolean
}

async function openParties(chain: TestChain): Promise<Party[]> {
  const [, bob = ''] = chain.users
  const [contract = ''] = chain.contracts
  const scopes: [object, Party['isAskedFor']][] = [
    [{ name: 'all' }, () => true],
    [{ name: 'user', user: bob }, record => hasUser(record, bob)],
    [
      {
        name: 'contract',
        address: contract,
        event: ['TransferSingle', 'Minted'],
        network: [NETWORK, 'base'],
      },
      ({ address, event }) => address === contract && (event === 'TransferSingle' || event === 'Minted'),
    ],
    [{ name: 'final', finalized: true }, () => true],
    [{ name: 'leaver' }, () => true],
  ]
  return Promise.all(
    scopes.map(async ([scope, isAskedFor]) => {
      const receiver = await startReceiver()
      const subscription = subscriptionOf({ to: receiver.url, from: 'beginning', ...scope })
      return { subscription, receiver, isAskedFor }
    }),
  )
}

function randomReaction(random: Random): Reaction {
  if (random.chance(0.5)) return 'accepts'
  return random.pick<Reaction>([
    'accepts, and resets',
    'resets',
    'hangs',
    { status: 500, body: 'x'.repeat(100_000) },
    { status: 429, headers: { 'retry-after': String(random.below(600)) } },
    { status: 503, headers: { 'retry-after': new Date(Date.now() + 90_000).toUTCString() } },
    { status: 307, headers: { location: '/elsewhere' } },
    { status: 400 },
  ])
}

/** Returns a function that runs the publisher once. A run knows only what earlier runs have stored. */
function publisher({
  tableName,
  folder,
  service,
  parties,
  random,
}: {
  tableName: string
  folder: string | undefined
  service: Listening
  parties: Party[]
  random: Random
}) {
  const table = { client: engine.reader, tableName }
  const clock = createFastClock()
  const feed = random.chance(0.5)
    ? createClientFeed(createEventsClient(service.baseUrl))
    : createTableFeed({ store: createDynamoEventStore(table), changeStore: createDynamoChangeStore(table) })

  return async function run({ dieAt, timeoutMs = TIMEOUT_MS }: { dieAt?: number; timeoutMs?: number } = {}) {
    const [stop, abort] = [new AbortController(), new AbortController()]
    let moments = 0
    const pass = () => {
      moments += 1
      if (moments === dieAt) for (const signal of [stop, abort]) signal.abort(new Error('Killed'))
    }
    const files =
      folder === undefined ? [] : parties.map(({ subscription: { name } }) => openFile(folder, name))
    const tableStates = createSubscriptionStates({ client: engine.client, tableName })
    const statesOf = (name: string) => files.find(file => file.name === name)?.states ?? tableStates
    const mortal: SubscriptionStates = {
      read: name => statesOf(name).read(name),
      async write(name, state) {
        pass()
        abort.signal.throwIfAborted()
        await statesOf(name).write(name, state)
        pass()
        abort.signal.throwIfAborted()
      },
    }
    for (const { receiver } of parties) receiver.onArrival = pass
    const served = await publishOnce({
      subscriptions: parties.map(({ subscription }) => subscription),
      feed,
      states: mortal,
      delivery: { allowLoopback: true, timeoutMs },
      clock,
      stop: stop.signal,
      abort: abort.signal,
    })
    for (const { states } of files) states.close()
    clock.pass(random.below(LONG_MS))
    return served
  }
}

const openFile = (folder: string, name: string) => ({
  name,
  states: openPublisherFile(path.join(folder, `${name}.state`)),
})

test.each(seeds)(
  'receivers that fail in every way end equal to the table, whoever dies at any moment (seed %i)',
  async seed => {
    const random = createRandom(seed)
    const chain = await startChain()
    const tableName = await engine.createEventsTable()
    const service = await listenForChanges({ client: engine.reader, tableName })
    const folder = random.chance(0.5) ? await mkdtemp(path.join(tmpdir(), 'publish-')) : undefined
    const parties = await openParties(chain)
    try {
      const fromBlock = (await chain.head()) + 1
      const life = liveFrom(chain, { random, firstBlock: fromBlock })
      const target = { endpoint: engine.endpoint, tableName, network: NETWORK, fromBlock } as const
      const run = publisher({ tableName, folder, service, parties, random })
      const leavesAt = random.below(8)
      for (const { receiver, subscription } of parties) {
        const isLeaver = subscription.name === 'leaver'
        receiver.react = () =>
          isLeaver && receiver.deliveries.length > leavesAt ? { status: 410 } : randomReaction(random)
      }
      for (let round = 0; round < 5; round++) {
        for (let step = 1 + random.below(4); step > 0; step--) await life.goOn()
        const indexing = indexUnderFaults({ random, chain, target, meanwhile: life.goOn })
        for (let runs = random.below(6); runs > 0; runs--) {
          await run(random.chance(0.6) ? { dieAt: 1 + random.below(MANY_MOMENTS) } : {})
        }
        await indexing
      }

      await indexChain({ ...target, rpcUrls: [chain.rpcUrl] })
      for (const { receiver, subscription } of parties)
        if (subscription.name !== 'leaver') receiver.react = () => 'accepts'
      for (let runs = 0; ; runs++) {
        const served = await run({ timeoutMs: 60_000 })
        expect(served.map(({ error }) => error)).toEqual(parties.map(() => undefined))
        if (served.every(({ isUpToDate, ended }) => isUpToDate || ended !== undefined)) break
        if (runs === MANY_RUNS) throw new Error('The receivers are not up to date')
      }
      const leaver = parties.at(-1)?.receiver
      const sent = leaver?.deliveries.length
      const served = await run()
      expect(leaver?.deliveries.length).toBe(sent)
      expect(served.at(-1)?.ended !== undefined).toBe(leaver?.deliveries.some(isGone))
      await expectEqual(parties, { chain, tableName, fromBlock, service })
    } finally {
      await Promise.all([service.stop(), chain.stop(), ...parties.map(({ receiver }) => receiver.stop())])
      if (folder !== undefined) await rm(folder, { recursive: true })
    }
  },
)

const isGone = ({ reaction }: Delivered) => typeof reaction === 'object' && reaction.status === 410

async function expectEqual(
  parties: Party[],
  {
    chain,
    tableName,
    fromBlock,
    service,
  }: { chain: TestChain; tableName: string; fromBlock: number; service: Listening },
) {
  const stored = await storedEvents({ client: engine.client, tableName })
  expect(stored).toEqual(byId(await chainEvents(chain, NETWORK, { fromBlock })))
  const { networks } = await createEventsClient(service.baseUrl).status()
  const finalizedBlock = networks.find(({ network }) => network === NETWORK)?.finalizedBlock ?? -1
  for (const { subscription, receiver, isAskedFor } of parties) {
    const { name, finalized } = subscription
    const records = receiver.records()
    if (name === 'leaver') expectLeft(receiver)
    else if (!finalized) expect({ name, records }).toEqual({ name, records: stored.filter(isAskedFor) })
    else {
      expect(records).toEqual(stored.filter(({ blockNumber }) => blockNumber <= finalizedBlock))
      const changes = receiver.deliveries.flatMap(delivered => delivered.changes)
      expect(changes.filter(({ change }) => change === 'removed')).toEqual([])
      // Every event that was ever sent is on the chain, in the same block.
      for (const { record } of changes) expect(stored).toContainEqual(record)
    }
  }
}

/**
 * Expects no new batch after a 410. The batch itself is repeated if the publisher is killed before it stores the 410.
 */
function expectLeft({ deliveries }: Receiver) {
  const last = deliveries.slice(deliveries.findIndex(isGone))
  if (deliveries.some(isGone)) expect(new Set(last.map(({ id }) => id)).size).toBe(1)
}
