import type { Network } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { type IndexedSince, noteIndexed } from '../../../lib/store/format/indexed-since.ts'
import type { Item } from '../../../lib/store/format/item.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { valuesOf } from '../oracle/oracle-problems.ts'
import { createRandom } from '../records/random.ts'
import type { ApiRequest } from '../requests/api-request.ts'
import type { TestEngine } from '../store/engine.ts'
import { checkpointItem } from '../store/lagging-networks.ts'
import { arrivingItems, startLaggingTable } from '../store/lagging-table.ts'
import { ask } from './ask.ts'
import { queryFunctions } from './query-functions.ts'
import type { ServedEvents } from './serve-events.ts'

export interface ServedLagging extends Pick<ServedEvents, 'ask' | 'write'> {
  /** Sets `minBlock` for each of the request's networks to the network's last indexed block at the start. */
  naming(request: ApiRequest): ApiRequest
  stop(): Promise<void>
}

const START_MS = Date.parse('2026-01-02T03:04:05Z')
/** In simulated time. */
const MS_PER_BATCH = 100_000
/** An item stored at least this long ago has arrived in the indexes. */
const LAG_MS = 600_000
/** The share of newer items that arrives in the indexes with each batch. */
const ARRIVING_PART = 0.3

interface Checkpoint {
  blockNumber: number
  blockHash: string
  timestamp: number
  indexedSince?: IndexedSince
}

/**
 * The table's indexes lag. Each written batch advances the checkpoints. Of the items stored in the last ten minutes, a
 * random subset has arrived in the indexes.
 */
export async function serveLagging(
  engine: TestEngine,
  initial: readonly EventRecord[],
  { seed }: { seed: number },
): Promise<ServedLagging> {
  const random = createRandom(seed)
  const table = await startLaggingTable(engine)
  const checkpoints = new Map<Network, Checkpoint>()
  let underWay: { item: Item; storedAt: number }[] = []
  let nowMs = START_MS

  async function write(records: readonly EventRecord[]): Promise<void> {
    nowMs += MS_PER_BATCH
    await table.store(records)
    for (const [network, ofNetwork] of Map.groupBy(records, record => record.network)) {
      await moveCheckpoint(network, ofNetwork)
    }
    const isArriving = ({ storedAt }: { storedAt: number }) =>
      storedAt <= nowMs - LAG_MS || random.chance(ARRIVING_PART)
    underWay.push(...arrivingItems(records).map(item => ({ item, storedAt: nowMs })))
    const { true: arriving = [], false: others = [] } = Object.groupBy(
      underWay,
      each => `${isArriving(each)}`,
    )
    underWay = others
    await table.arrive(arriving.map(({ item }) => item))
  }

  async function moveCheckpoint(network: Network, records: readonly EventRecord[]) {
    const before = checkpoints.get(network)
    const last = records.toSorted((a, b) => a.blockNumber - b.blockNumber).at(-1)
    if (!last || last.blockNumber < (before?.blockNumber ?? 0)) return
    const { blockNumber, blockHash, createdAt } = last
    const moved = { blockNumber, blockHash, timestamp: Date.parse(createdAt) / 1000 }
    const checkpoint = { ...moved, indexedSince: noteIndexed(before, moved, nowMs) }
    checkpoints.set(network, checkpoint)
    await table.storeItems([checkpointItem(network, { ...checkpoint })])
  }

  // The older half of the events is indexed before the newer half.
  const half = (record: EventRecord) => record.createdAt <= (middle?.createdAt ?? '')
  const middle = initial.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))[
    Math.floor(initial.length / 2)
  ]
  await write(initial.filter(half))
  nowMs += LAG_MS / 2
  await write(initial.filter(record => !half(record)))

  const indexed = new Map([...checkpoints].map(([network, { blockNumber }]) => [network, blockNumber]))
  const store = createDynamoEventStore({ client: table.reader, tableName: table.tableName })
  const handlers = queryFunctions({ store, now: () => nowMs })
  return {
    ask: (request, format) => ask(handlers[request.endpoint], request, format),
    write,
    naming: request => withBlocks(request, indexed),
    stop: () => table.stop(),
  }
}

function withBlocks(request: ApiRequest, blocks: ReadonlyMap<Network, number>): ApiRequest {
  const asked: readonly string[] = valuesOf(request.query, 'network')
  const named = [...blocks].filter(([network]) => asked.length === 0 || asked.includes(network))
  const pairs = named.map(([network, block]): [string, string] => ['minBlock', `${network}:${block}`])
  return { ...request, query: [...request.query, ...pairs] }
}
