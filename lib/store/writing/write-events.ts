import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { pMapIterable } from 'p-map'
import type { Network } from '../../events/networks.ts'
import type { EventRecord } from '../../events/record.ts'
import { cutBatches, type EventTable } from '../event-table.ts'
import { type EventItems, type Item, itemsFor, keyOf } from '../format/event-items.ts'
import { MAX_BATCH_ITEMS, type PutOptions, putItems } from './put-items.ts'

const BATCHES_IN_FLIGHT = 8

export interface WriteOptions extends Omit<PutOptions, 'client'>, EventTable {
  batchesInFlight?: number
  /** Called after each stored batch with the totals so far. If `events` is n, the first n records are stored. */
  onStored?: (soFar: WriteSummary) => void
}

export interface WriteSummary {
  events: number
  items: number
  /** The consumed write units that DynamoDB reports, including those of indexes. */
  writeUnits: number
}

interface Batch {
  /** The batch's items by key, because DynamoDB rejects a batch that contains two items with the same key. */
  items: Map<string, Item>
  /** The number of events whose last item is in this batch. */
  events: number
}

/**
 * Writing is idempotent: after an error or an abort, write the same events again. Records are read only as fast as they
 * are stored, so memory use does not grow. The chunks of each event are stored first, then its item in `all`, then its
 * other items. An event with an item in any list is therefore also in `all`, where a later writer finds the events of a
 * dead writer. Records with the same place must be equal.
 */
export async function writeEvents(
  { client, batchesInFlight = BATCHES_IN_FLIGHT, networks, onStored, ...options }: WriteOptions,
  records: Iterable<EventRecord> | AsyncIterable<EventRecord>,
): Promise<WriteSummary> {
  const summary: WriteSummary = { events: 0, items: 0, writeUnits: 0 }
  const failed = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal
  const documents = DynamoDBDocumentClient.from(client)
  const put = async (items: Item[], events: number) => {
    const writeUnits = await putItems(items, { ...options, client: documents, signal })
    return { events, items: items.length, writeUnits }
  }
  const count = (stored: WriteSummary) => {
    summary.events += stored.events
    summary.items += stored.items
    summary.writeUnits += stored.writeUnits
    onStored?.({ ...summary })
  }
  const batches = batchesOf(groupsOf(records, networks), async items => count(await put(items, 0)))
  const storing = pMapIterable(batches, batch => put([...batch.items.values()], batch.events), {
    concurrency: batchesInFlight,
  })
  try {
    for await (const stored of storing) count(stored)
  } finally {
    // Stops the batches in flight, which would otherwise keep retrying after the caller has received the error.
    failed.abort()
  }
  return summary
}

/** Stores a group's chunks and its items of `all` before it yields the group's other items. */
async function* batchesOf(
  groups: AsyncIterable<EventItems[]>,
  storeFirst: (items: Item[]) => Promise<void>,
): AsyncGenerator<Batch> {
  let batch: Batch = { items: new Map(), events: 0 }
  for await (const group of groups) {
    const chunks = group.flatMap(event => event.chunks)
    // 25 chunks of 350 KB take 12 MB in Base64, which is below the limit of 16 MB per request.
    for (const part of cutBatches(chunks, MAX_BATCH_ITEMS)) await storeFirst(distinct(part))
    await storeFirst(distinct(group.map(({ entries }) => entries[0] as Item)))
    for (const { entries } of group) {
      for (const entry of entries.slice(1)) {
        if (batch.items.size === MAX_BATCH_ITEMS) {
          yield batch
          batch = { items: new Map(), events: 0 }
        }
        batch.items.set(keyOf(entry), entry)
      }
      batch.events += 1
    }
  }
  if (batch.items.size > 0) yield batch
}

/** A full group's items of `all` fit into one batch. */
async function* groupsOf(
  records: Iterable<EventRecord> | AsyncIterable<EventRecord>,
  networks: readonly Network[] | undefined,
): AsyncGenerator<EventItems[]> {
  const itemsOf = itemsFor(networks)
  let group: EventItems[] = []
  for await (const record of records) {
    group.push(itemsOf(record))
    if (group.length < MAX_BATCH_ITEMS) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

const distinct = (items: readonly Item[]): Item[] => [
  ...new Map(items.map(item => [keyOf(item), item])).values(),
]
