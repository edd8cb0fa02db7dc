import { BatchGetCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import pMap from 'p-map'
import { placeOf } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { contentOf } from '../ingest/verify/compare-items.ts'
import { cutBatches, type EventTable } from '../store/event-table.ts'
import { type Item, itemsFor, keyOf } from '../store/format/event-items.ts'
import { LIST_KEY, PLACE_KEY } from '../store/format/keys.ts'
import { tryAgain } from '../store/try-again.ts'
import type { Difference } from './difference.ts'

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const ITEMS_OF_BATCH = 100
const BATCHES_IN_FLIGHT = 4

interface ExpectedItem {
  item: Item
  record: EventRecord
}

/**
 * Looks up every item of the events, and returns a difference for each item that is missing or altered. Most items of
 * up to 4 KB cost half a read unit, because only items that seem to differ are read again with a consistent read.
 */
export async function lookUpItems(
  records: readonly EventRecord[],
  { signal, ...table }: EventTable & { signal: AbortSignal },
): Promise<Difference[]> {
  const itemsOf = itemsFor(table.networks)
  const expected = records.flatMap(record => {
    const { chunks, entries } = itemsOf(record)
    return [...entries, ...chunks].map(item => ({ item, record }))
  })
  const compare = async (items: readonly ExpectedItem[], isConsistent: boolean) => {
    const found = await readItems(items, { ...table, signal, isConsistent })
    return items
      .filter(({ item }) => contentAt(found, item) !== contentOf(item))
      .map(each => ({ ...each, found }))
  }
  const suspects = (
    await pMap(cutBatches(expected, ITEMS_OF_BATCH), batch => compare(batch, false), {
      concurrency: BATCHES_IN_FLIGHT,
    })
  ).flat()
  const differences: Difference[] = []
  for (const batch of cutBatches(suspects, ITEMS_OF_BATCH)) {
    for (const { item, record, found } of await compare(batch, true)) {
      const { id, address, blockNumber } = record
      const kind = contentAt(found, item) === undefined ? 'missing' : 'different'
      const list = String(item[LIST_KEY])
      const place = placeOf(record)
      differences.push({ kind, id, place, blockNumber, fromBlock: blockNumber, address, list })
    }
  }
  return differences
}

type FoundItems = ReadonlyMap<string, Item>

const contentAt = (found: FoundItems, item: Item): string | undefined => {
  const stored = found.get(keyOf(item))
  return stored && contentOf(stored)
}

async function readItems(
  items: readonly ExpectedItem[],
  { client, tableName, signal, isConsistent }: EventTable & { signal: AbortSignal; isConsistent: boolean },
): Promise<FoundItems> {
  const documents = DynamoDBDocumentClient.from(client)
  const found = new Map<string, Item>()
  let keys: Record<string, unknown>[] = items.map(({ item }) => ({
    [LIST_KEY]: item[LIST_KEY],
    [PLACE_KEY]: item[PLACE_KEY],
  }))
  while (keys.length > 0) {
    const command = new BatchGetCommand({
      RequestItems: { [tableName]: { Keys: keys, ConsistentRead: isConsistent } },
    })
    const { Responses, UnprocessedKeys } = await tryAgain(
      () => documents.send(command, { abortSignal: signal }),
      { tableName, signal },
    )
    for (const item of Responses?.[tableName] ?? []) found.set(keyOf(item), item)
    keys = UnprocessedKeys?.[tableName]?.Keys ?? []
  }
  return found
}
