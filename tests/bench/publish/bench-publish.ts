/** `npm run bench:publish` measures the time from a block to its receiver, and how many subscriptions a run serves. */
import { gzipSync } from 'node:zlib'
import type { Call } from '../../../infra/recording/activity.ts'
import type { PublishOptions } from '../../../lib/feed/publisher/publish-changes.ts'
import { SYSTEM_CLOCK } from '../../../lib/feed/publisher/serving-context.ts'
import { createSubscriptionStates } from '../../../lib/feed/publisher/subscription-states.ts'
import { indexNetwork } from '../../../lib/ingest/indexer/index-network.ts'
import type { EventTable } from '../../../lib/store/event-table.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { feedOf, publishOnce, subscriptionOf } from '../../support/publisher/publish-once.ts'
import { startReceiver } from '../../support/publisher/receiver.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { startTable } from '../cost/open-table.ts'
import { countedNode } from '../ingest/counted-node.ts'
import { startChainAndTable } from '../ingest/start-chain-and-table.ts'
import { quantile, table as tableOf, writeReport } from '../recorded/report.ts'

const BLOCKS = 10
const BLOCK_EVERY_MS = 2000
const EVENTS = 300
const SUBSCRIPTIONS = [1, 10, 30]

const runsOver =
  (table: EventTable) => (options: Pick<PublishOptions, 'subscriptions'> & Partial<PublishOptions>) =>
    publishOnce({
      feed: feedOf(table),
      states: createSubscriptionStates(table),
      // The time limit is long, because publisher and receivers share the thread of this process.
      delivery: { allowLoopback: true, timeoutMs: 120_000 },
      clock: SYSTEM_CLOCK,
      ...options,
    })

/** Creates blocks one by one, and returns the milliseconds from a block's creation to the arrival of its event. */
async function measureLatency(): Promise<number[]> {
  await using started = await startChainAndTable(0)
  const { chain, table } = started
  const stop = new AbortController()
  const minedAt = new Map<number, number>()
  const latencies: number[] = []
  const receiver = await startReceiver({
    react: ({ changes }) => {
      for (const { record } of changes) {
        const at = minedAt.get(record.blockNumber)
        if (at !== undefined) latencies.push(performance.now() - at)
      }
      return 'accepts'
    },
  })
  const indexing = indexNetwork({
    ...started.indexing,
    ...{ confirmations: 0, follow: true },
    nodes: countedNode(chain.rpcUrl).nodes,
    signal: stop.signal,
  }).catch(() => undefined)
  const subscriptions = [subscriptionOf({ to: receiver.url, from: 'beginning' })]
  const publishing = runsOver(table)({ subscriptions, once: false, stop: stop.signal })
  const [ada, bob] = chain.users
  for (let id = 0; id < BLOCKS; id++) {
    const mint: Call = { by: ada ?? '0x', contract: 0, functionName: 'mint', args: [bob, BigInt(id), 1n, ''] }
    await chain.mine([mint])
    minedAt.set(await chain.head(), performance.now())
    await new Promise(resolve => setTimeout(resolve, BLOCK_EVERY_MS * (0.5 + Math.random())))
  }
  await new Promise(resolve => setTimeout(resolve, 15_000))
  stop.abort(new Error('Enough'))
  await Promise.all([publishing, indexing])
  await receiver.stop()
  return latencies
}

/** The seconds of a run that delivers all events to each subscription, and of a run without new events. */
async function measureRuns(count: number) {
  await using table = await startTable()
  const records = eventSetOf({ blocks: 20, events: 100 }, 3).slice(0, EVENTS)
  await writeEvents(table, records)
  const receivers = await Promise.all(Array.from({ length: count }, () => startReceiver()))
  const subscriptions = receivers.map(({ url }, index) =>
    subscriptionOf({ name: `n${index}`, to: url, from: 'beginning' }),
  )
  const run = runsOver(table)
  const timed = async () => {
    const startedAt = performance.now()
    const late = (await run({ subscriptions })).find(({ isUpToDate }) => !isUpToDate)
    if (late) throw late.error ?? new Error(`${late.subscription} is not up to date`)
    return (performance.now() - startedAt) / 1000
  }
  const all = await timed()
  const nothing = await timed()
  const [batch] = receivers[0]?.deliveries ?? []
  const bytes = { body: Buffer.byteLength(batch?.body ?? ''), stored: gzipSync(batch?.body ?? '').length }
  await Promise.all(receivers.map(receiver => receiver.stop()))
  return { count, changes: count * records.length, all, nothing, bytes }
}

const latencies = await measureLatency()
const at = (share: number) => (quantile(latencies, share) / 1000).toFixed(1)
const runs = []
for (const count of SUBSCRIPTIONS) runs.push(await measureRuns(count))
const kilobytes = (bytes = 0) => (bytes / 1000).toFixed(0)
await writeReport('publish', [
  '# Publishing changes',
  "`npm run bench:publish` measures the publisher, which sends the table's changes to the receivers of its subscriptions. The node, the table (on dynalite, which emulates DynamoDB), the publisher and the receivers run on one machine.",
  '## Time from a block to the receiver',
  `An indexer and a publisher run all the time, while the chain creates ${BLOCKS} blocks, one about every ${BLOCK_EVERY_MS / 1000} seconds. The median change arrives **${at(0.5)} s** after its block was created, and the slowest after ${at(1)} s. Up to five seconds of this time pass until the publisher next looks for changes. The rest is the indexer's pause between two looks at the chain, and the work itself. The publisher's function takes up to a minute longer if \`publishFollow\` is not set.`,
  '## Duration of a run, by number of subscriptions',
  `In one run, the publisher sends all ${EVENTS} events, in batches of a hundred, to each subscription's own receiver. The last column is for a run that, like most runs, finds no new changes.`,
  tableOf(
    'subscriptions | changes sent in total | duration of the run, seconds | changes sent per second | duration without new changes, seconds',
    runs.map(({ count, changes, all, nothing }) => [
      ...[count, changes, all.toFixed(1), (changes / all).toFixed(0), nothing.toFixed(2)],
    ]),
  ),
  `A batch of a hundred changes has ${kilobytes(runs[0]?.bytes.body)} KB. The publisher stores it compressed in the subscription's state, where it takes ${kilobytes(runs[0]?.bytes.stored)} KB. Storing the batch costs one write unit for each compressed KB.`,
])
