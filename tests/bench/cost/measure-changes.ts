import { NETWORKS, type Network } from '../../../lib/events/networks.ts'
import type { Place } from '../../../lib/events/place.ts'
import type { NumberedRevision } from '../../../lib/events/revision.ts'
import { answerChanges, type ChangesAnswer } from '../../../lib/feed/answer-changes.ts'
import type { ChangeStore } from '../../../lib/feed/change-store.ts'
import { createDynamoChangeStore } from '../../../lib/feed/dynamo-change-store.ts'
import { parseChanges } from '../../../lib/feed/parse-changes.ts'
import { startNow } from '../../../lib/feed/start-feed.ts'
import { DEFAULT_LIMITS } from '../../../lib/query/budget.ts'
import type { StoreCost } from '../../../lib/query/event-store.ts'
import type { GivenParameters } from '../../../lib/query/read-parameters.ts'
import { noCost } from '../../../lib/query/request-cost.ts'
import type { EventTable } from '../../../lib/store/event-table.ts'
import { BUSY_TOKEN, BUSY_WALLET } from './generate-events.ts'
import type { Bench } from './measure-shape.ts'

export type ChangesMeasurement = ReturnType<typeof measured>

export interface FeedBench extends Pick<Bench, 'store'> {
  table: EventTable
}

const BEGINNING: GivenParameters = [
  ['from', 'beginning'],
  ['limit', '500'],
]

export async function measureChanges({ store: events, table }: FeedBench): Promise<ChangesMeasurement[]> {
  const { store, changeStore } = chargedStores({ store: events, table })
  const ask = (parameters: GivenParameters, over = changeStore) =>
    answerChanges(parseChanges({ parameters }), { store, changeStore: over })
  const now = await ask([])
  const everything = { scope: { networks: NETWORKS, filters: {} }, isFinal: false }
  const budget = { ...DEFAULT_LIMITS, timeLeftMs: () => Number.POSITIVE_INFINITY }
  const context = { store, changeStore, budget, cost: noCost(), now: Date.now() }
  const { places } = await startNow(everything, context)
  const indexed = withFrontiers(changeStore, new Map(Object.entries(places) as [Network, Place][]))
  const removing = withRemovals(changeStore, 500)
  const again = (cursor: string): GivenParameters => [
    ['cursor', cursor],
    ['limit', '500'],
  ]
  return [
    measured(
      "nothing new on five networks, all read up to their indexers' checkpoints",
      await ask([['cursor', (await ask([], indexed)).next]], indexed),
    ),
    measured('nothing new on five networks without indexers', await ask([['cursor', now.next]])),
    measured('the first 500 events', await ask(BEGINNING)),
    measured('the first 500 events of a token', await ask([...BEGINNING, ['address', BUSY_TOKEN]])),
    measured('the first 500 events of a user', await ask([...BEGINNING, ['user', BUSY_WALLET]])),
    measured('the removal of 500 events', await ask(again(now.next), removing)),
  ]
}

/** Adds the charge for a consistent read without results, which DynamoDB bills but the embedded engine omits. */
export function chargedStores({ store, table }: FeedBench) {
  const found = createDynamoChangeStore(table)
  const changeStore: ChangeStore = {
    ...found,
    readRevisions: charged(found.readRevisions),
    readNewestRevisions: charged(found.readNewestRevisions),
    readFrontiers: charged(found.readFrontiers),
  }
  return { store: { ...store, readList: charged(store.readList) }, changeStore }
}

const charged =
  <Asked extends unknown[], Answer extends StoreCost>(read: (...asked: Asked) => Promise<Answer>) =>
  async (...asked: Asked): Promise<Answer> => {
    const answer = await read(...asked)
    return { ...answer, readUnits: Math.max(1, answer.readUnits) }
  }

const measured = (name: string, { changes, cost }: ChangesAnswer) => ({
  name,
  changes: changes.length,
  ...cost,
})

/** Replaces the checkpoints, as if indexers had reached these blocks. */
const withFrontiers = (changeStore: ChangeStore, frontiers: Map<Network, Place>): ChangeStore => ({
  ...changeStore,
  readFrontiers: async options => ({ ...(await changeStore.readFrontiers(options)), frontiers }),
})

const BYTES_OF_REMOVED = 300
const REMOVED_IN_ENTRY = 200
const BYTES_OF_UNIT = 4096

/** Pretends that this many events have just been removed. The benchmark's table stays unchanged. */
function withRemovals(changeStore: ChangeStore, count: number): ChangeStore {
  const removed = Array.from({ length: count }, (_, index) => ({
    id: `base:0x${'0'.repeat(64)}:${index}`,
    network: 'base' as const,
    blockNumber: 1,
    blockHash: `0x${'0'.repeat(64)}`,
    address: `0x${'0'.repeat(40)}`,
    event: 'Minted' as const,
  }))
  const revisions: NumberedRevision[] = Array.from(
    { length: Math.ceil(count / REMOVED_IN_ENTRY) },
    (_, index) => ({
      number: index + 1,
      places: {},
      removed: removed.slice(index * REMOVED_IN_ENTRY, (index + 1) * REMOVED_IN_ENTRY),
      at: 0,
    }),
  )
  const readUnits = Math.ceil((count * BYTES_OF_REMOVED) / BYTES_OF_UNIT)
  return {
    ...changeStore,
    readRevisions: async () => ({
      revisions,
      isMore: false,
      calls: 1,
      examined: revisions.length,
      readUnits,
    }),
  }
}
