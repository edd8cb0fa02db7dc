import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { pMapIterable } from 'p-map'
import type { EventRecord } from '../events/record.ts'
import { cutBatches } from './cut-batches.ts'
import { type EventItems, type Item, itemsOf } from './item.ts'
import { LIST_KEY, PLACE_KEY } from './keys.ts'
import { MAX_BATCH_ITEMS, type PutOptions, putItems } from './put-items.ts'

/** Measured: more batches at once gain nothing on a local engine, and a table in AWS is throttled by then. */
const BATCHES_IN_FLIGHT = 8

export interface WriteOptions extends Omit<PutOptions, 'client'> {
  client: DynamoDBClient
  batchesInFlight?: number
  /** Called after each batch with what is stored by then; events are counted in the order they were given. */
  onStored?: (soFar: WriteSummary) => void
}

export interface WriteSummary {
  events: number
  items: number
  /** As DynamoDB reports them, indexes included. */
  writeUnits: number
}

interface Batch {
  /** By key: DynamoDB refuses a batch that names a key twice. */
  items: Map<string, Item>
  /** How many events have their last item here. */
  events: number
}

/**
 * Writes events into all their lists and resolves once every one is stored. Writing an event again
 * changes nothing, so after an error, or when it was stopped, the same events can be written once more.
 * Takes records only as fast as they are stored, so memory stays flat however many there are. An event's chunks are stored
 * first, then its item in `all`, then the others: one that is in any list is in `all`, so that later writers find out where
 * a dead one has been. No other order is kept. Events of the same place must not be given twice unless they are equal.
 */
export async function writeEvents(
  { client, batchesInFlight = BATCHES_IN_FLIGHT, onStored, ...options }: WriteOptions,
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
  const batches = batchesOf(records, async items => count(await put(items, 0)))
  const storing = pMapIterable(batches, batch => put([...batch.items.values()], batch.events), {
    concurrency: batchesInFlight,
  })
  try {
    for await (const stored of storing) count(stored)
  } finally {
    // Batches still in flight after an error would go on retrying behind the caller's back.
    failed.abort()
  }
  return summary
}

/** Packs items into full batches, event after event; those that have to be there first are stored on the way. */
async function* batchesOf(
  records: Iterable<EventRecord> | AsyncIterable<EventRecord>,
  storeFirst: (items: Item[]) => Promise<void>,
): AsyncGenerator<Batch> {
  let batch: Batch = { items: new Map(), events: 0 }
  for await (const group of groupsOf(records)) {
    const chunks = group.flatMap(event => event.chunks)
    // 25 chunks of 350 KB are 12 MB in Base64, below the 16 MB of one request.
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

/** As many events at once as one batch takes of their items in `all`. */
async function* groupsOf(
  records: Iterable<EventRecord> | AsyncIterable<EventRecord>,
): AsyncGenerator<EventItems[]> {
  let group: EventItems[] = []
  for await (const record of records) {
    group.push(itemsOf(record))
    if (group.length < MAX_BATCH_ITEMS) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

const keyOf = (item: Item) => `${item[LIST_KEY]} ${item[PLACE_KEY]}`

const distinct = (items: readonly Item[]): Item[] => [
  ...new Map(items.map(item => [keyOf(item), item])).values(),
]
