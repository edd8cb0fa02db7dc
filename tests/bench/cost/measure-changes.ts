import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { NETWORKS, type Network } from '../../../lib/events/networks.ts'
import type { Place } from '../../../lib/events/place.ts'
import { removalOf } from '../../../lib/events/revision.ts'
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
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { appendRevision } from '../../../lib/store/writing/append-revision.ts'
import { walletEvents } from '../recorded/newest-events.ts'
import { BUSY_TOKEN, BUSY_WALLET } from './generate-events.ts'
import type { Bench } from './measure-shape.ts'
import { startTable } from './open-table.ts'

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
  return [
    measured(
      "nothing new on five networks, all read up to their indexers' checkpoints",
      await ask([['cursor', (await ask([], indexed)).next]], indexed),
    ),
    measured('nothing new on five networks without indexers', await ask([['cursor', now.next]])),
    measured('the first 500 events', await ask(BEGINNING)),
    measured('the first 500 events of a token', await ask([...BEGINNING, ['address', BUSY_TOKEN]])),
    measured('the first 500 events of a user', await ask([...BEGINNING, ['user', BUSY_WALLET]])),
    measured('the removal of 500 events', await measureRemoval(500)),
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

/**
 * Records the removal of this many events in the log of an empty table, so that the benchmark's table stays unchanged.
 */
async function measureRemoval(count: number): Promise<ChangesAnswer> {
  await using table = await startTable()
  const stores = chargedStores({ store: createDynamoEventStore(table), table })
  const ask = (parameters: GivenParameters) => answerChanges(parseChanges({ parameters }), stores)
  const { next } = await ask([])
  const removed = walletEvents().slice(0, count).map(removalOf)
  const client = DynamoDBDocumentClient.from(table.client)
  await appendRevision({ places: {}, removed }, { ...table, client })
  const cursor: GivenParameters[number] = ['cursor', next]
  // Without `await`, the table would end before the answer.
  return await ask([cursor, ['limit', String(count)]])
}
