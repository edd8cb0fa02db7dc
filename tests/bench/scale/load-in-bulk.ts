import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import type { Internals, Item, KeyValues, Operation, Store, Table } from 'dynalite/db'
import { type EventList, listsOf } from '../../../lib/events/lists.ts'
import type { Network } from '../../../lib/events/networks.ts'
import { compareByTime } from '../../../lib/events/place.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { toDynamoJson } from '../../../lib/ingest/load/write-import.ts'
import { itemIn, itemsOf, type PackedEvent, packEvent } from '../../../lib/store/format/item.ts'
import {
  type ListPartition,
  partitionOf,
  type WrittenList,
  writtenList,
} from '../../../lib/store/format/keys.ts'

export interface BulkLoad {
  /** The folder of a stopped embedded engine. */
  dataDir: string
  tableName: string
  /** The entries of these events are sorted in memory together. */
  eventsAtOnce?: number
  onStored?: (soFar: { events: number }) => void
}

interface OpenTable {
  store: Store
  table: Table
  tableName: string
}

/** A partition of the table or of an index, with its events sorted by place (the sort key). */
interface Partition extends ListPartition {
  list: WrittenList
  events: PackedEvent[]
}

const db = createRequire(import.meta.url)('dynalite/db') as Internals

/** Some three million entries, for which the process needs less than 2 GB. */
const EVENTS_AT_ONCE = 100_000
const ENTRIES_IN_BATCH = 500

/**
 * Writes all items and index entries of the events directly into the embedded engine's files, as BatchWriteItem would
 * have written them. Uses the engine's own module. Entries are written in the order of their keys, because LevelDB
 * would otherwise sort its files repeatedly.
 */
export async function loadInBulk(
  { dataDir, tableName, eventsAtOnce = EVENTS_AT_ONCE, onStored }: BulkLoad,
  records: Iterable<EventRecord>,
): Promise<{ entries: number }> {
  const store = db.create({ path: dataDir })
  const table = await promisify(store.getTable)(tableName)
  if (!table) throw new Error(`There is no table ${tableName} in ${dataDir}`)
  let events = 0
  let entries = 0
  for (const some of groupsOf(records, eventsAtOnce)) {
    entries += await loadSome(some, { store, table, tableName })
    events += some.length
    onStored?.({ events })
  }
  await store.db.close()
  return { entries }
}

function* groupsOf(records: Iterable<EventRecord>, size: number): Generator<EventRecord[]> {
  let group: EventRecord[] = []
  for (const record of records) {
    if (group.length === size) {
      yield group
      group = []
    }
    group.push(record)
  }
  if (group.length > 0) yield group
}

async function loadSome(
  records: readonly EventRecord[],
  { store, table, tableName }: OpenTable,
): Promise<number> {
  const events = records.map(packEvent).sort((a, b) => compareByTime(a.place, b.place))
  const itemDb = store.getItemDb(tableName)
  let entries = await writeEntries(itemDb, function* () {
    for (const value of chunksOf(events)) yield { key: db.createKey(value, table), value }
  })
  for (const [indexName, partitions] of Map.groupBy(partitionsOf(events), each => each.indexName)) {
    const to = indexName ? store.getIndexDb('Global', tableName, indexName) : itemDb
    entries += await writeEntries(to, function* () {
      for (const item of itemsIn(partitions))
        yield indexName ? indexEntry(indexName, item, table) : { key: db.createKey(item, table), value: item }
    })
  }
  return entries
}

function* chunksOf(events: readonly PackedEvent[]): Generator<Item> {
  for (const { record, bytes } of events) {
    if (bytes.longField) yield* itemsOf(record).chunks.map(toDynamoJson)
  }
}

function partitionsOf(events: readonly PackedEvent[]): Partition[] {
  const partitions = new Map<string, Partition>()
  const add = (event: PackedEvent, list: EventList, network?: Network) => {
    const at = partitionOf(list, network)
    const name = `${at.indexName} ${at.key}`
    const partition = partitions.get(name)
    if (partition) partition.events.push(event)
    else partitions.set(name, { ...at, list: writtenList(list), events: [event] })
  }
  for (const event of events) {
    const { network, transactionHash: hash, blockNumber } = event.record
    for (const list of listsOf(event.record)) {
      add(event, list, network)
      if (list.of !== 'all') add(event, list)
    }
    add(event, { of: 'transaction', hash })
    add(event, { of: 'block', blockNumber })
  }
  return [...partitions.values()]
}

/** Yields items in the engine's order: by the partition key's hash, and within a partition by place (the sort key). */
function* itemsIn(partitions: readonly Partition[]): Generator<Item> {
  const hashed = partitions.map(partition => {
    const { key } = partition
    return { partition, hash: db.hashPrefix(String(key), typeof key === 'number' ? 'N' : 'S') }
  })
  hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1))
  for (const { partition } of hashed) {
    for (const event of partition.events) yield toDynamoJson(itemIn(partition.list, event))
  }
}

interface Entry {
  key: string
  value: Item
}

function indexEntry(name: string, item: Item, table: Table): Entry {
  const { puts } = db.getIndexActions(table.GlobalSecondaryIndexes ?? [], undefined, item, table)
  const put = puts.find(({ index }) => index === name)
  if (!put) throw new Error(`The table has no index ${name}`)
  return { key: put.key, value: put.item }
}

async function writeEntries(to: KeyValues, entries: () => Generator<Entry>): Promise<number> {
  const write = promisify(to.batch.bind(to))
  let written = 0
  let batch: Operation[] = []
  // LevelDB writes a batch while the next batch is built.
  let writing: Promise<unknown> = Promise.resolve()
  const flush = async () => {
    await writing
    writing = write(batch)
    written += batch.length
    batch = []
  }
  for (const entry of entries()) {
    batch.push({ type: 'put', ...entry })
    if (batch.length === ENTRIES_IN_BATCH) await flush()
  }
  await flush()
  await writing
  return written
}
