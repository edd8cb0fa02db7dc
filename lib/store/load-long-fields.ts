import { setTimeout } from 'node:timers/promises'
import { BatchGetItemCommand, type BatchGetItemCommandOutput, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { placeOf } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { CorruptRowError, StoreUnavailableError } from '../query/errors.ts'
import type { CallOptions } from '../query/event-store.ts'
import type { StoreCost } from '../query/store-cost.ts'
import { cutBatches } from './cut-batches.ts'
import { dataOf } from './data-of.ts'
import type { AttributeMap, EventTable } from './event-table.ts'
import { chunkList, chunkPlace, positionIn } from './item.ts'
import { DATA, LIST_KEY, listKey, PLACE_KEY } from './keys.ts'
import { type DecodedItem, decodeItem, withLongField } from './record-codec.ts'
import { translateErrors } from './translate-errors.ts'

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const MAX_BATCH_KEYS = 100
/** Keys come back unprocessed when the table is throttled; a reader cannot wait for long. */
const RETRY_DELAYS_MS = [50, 100, 200]

export interface LongRecords {
  /** The whole record of an item that has its long field elsewhere; `removed` when its event is no longer stored. */
  of(item: DecodedItem): Promise<EventRecord | 'removed'>
  cost: StoreCost
}

/** Fetches the long fields of all items that have theirs elsewhere, in as few calls as DynamoDB allows. */
export async function loadLongFields(
  items: readonly DecodedItem[],
  table: EventTable & { options?: CallOptions },
): Promise<LongRecords> {
  const cost = { calls: 0, examined: 0, readUnits: 0 }
  const parts = new Map<string, Uint8Array>()

  async function fetchParts(keys: AttributeMap[], consistent: boolean): Promise<void> {
    const batches = cutBatches(keys, MAX_BATCH_KEYS)
    const found = await Promise.all(batches.map(batch => getBatch(batch, { ...table, consistent, cost })))
    for (const chunk of found.flat()) parts.set(keyText(chunk), chunk[DATA]?.B ?? new Uint8Array())
  }

  function partsOf(keys: AttributeMap[]): Uint8Array[] | undefined {
    const found = keys.flatMap(key => parts.get(keyText(key)) ?? [])
    return found.length === keys.length ? found : undefined
  }

  /** What was fetched for an item, put together; undefined where a part is missing. */
  function found(item: DecodedItem): EventRecord | undefined {
    const bytes = partsOf(keysOf(item))
    return bytes && (isInAll(item) ? recordInAll(item, bytes) : wholeRecord(item, bytes))
  }

  await fetchParts(items.flatMap(keysOf), false)
  return {
    cost,
    async of(item) {
      const record = found(item)
      if (record) return record
      // Written a moment ago, perhaps: of three copies of the table, one may not have it yet.
      await fetchParts(keysOf(item), true)
      const foundAtLast = found(item)
      if (foundAtLast) return foundAtLast
      // The item of `all` goes behind those of token ids, and one of another block may have come in its place.
      if (isInAll(item)) return 'removed'
      // Asked last: an event that is being removed loses its items before its chunks.
      if (!(await isStillStored(item, table, cost))) return 'removed'
      throw corruptRecord(item, new TypeError('A chunk is missing'))
    },
  }
}

/** 350 MB, more than a block of any chain can hold: where an item says more, the number itself is wrong. */
const MAX_CHUNKS = 1000

/** Whether the long field of an item is not kept apart, but stands in the event's item of `all`. */
const isInAll = ({ apart }: DecodedItem) => apart?.isInAll === true

/** The keys of what holds an item's long field. */
function keysOf(item: DecodedItem): AttributeMap[] {
  if (!isInAll(item)) return chunkKeys(item)
  const { list, place } = allKey(item.record)
  return [{ [LIST_KEY]: { S: list }, [PLACE_KEY]: { S: place } }]
}

/** Where the parts of a record's long field stand; nowhere when it has none apart, or too many to be true. */
function chunkKeys({ record, apart }: DecodedItem): AttributeMap[] {
  if (!apart || apart.isInAll || apart.chunks < 1 || apart.chunks > MAX_CHUNKS) return []
  const list = chunkList(record)
  return Array.from({ length: apart.chunks }, (_, index) => ({
    [LIST_KEY]: { S: list },
    [PLACE_KEY]: { S: chunkPlace(index) },
  }))
}

const keyText = (key: AttributeMap) => `${key[LIST_KEY]?.S} ${key[PLACE_KEY]?.S}`

interface BatchReading extends EventTable {
  options?: CallOptions
  consistent: boolean
  cost: StoreCost
}

async function getBatch(
  batch: AttributeMap[],
  { client, tableName, options = {}, consistent, cost }: BatchReading,
): Promise<AttributeMap[]> {
  const found: AttributeMap[] = []
  let keys = batch
  for (const delayMs of [...RETRY_DELAYS_MS, undefined]) {
    const output: BatchGetItemCommandOutput = await translateErrors(
      client.send(
        new BatchGetItemCommand({
          RequestItems: { [tableName]: { Keys: keys, ConsistentRead: consistent } },
          ReturnConsumedCapacity: 'TOTAL',
        }),
        options,
      ),
    )
    const items = output.Responses?.[tableName]
    if (!items) throw new StoreUnavailableError(new TypeError('The answer to a BatchGetItem is not whole'))
    found.push(...items)
    cost.calls += 1
    cost.examined += items.length
    cost.readUnits += output.ConsumedCapacity?.[0]?.CapacityUnits ?? 0
    keys = output.UnprocessedKeys?.[tableName]?.Keys ?? []
    if (keys.length === 0) return found
    if (delayMs !== undefined) await setTimeout(delayMs * Math.random())
  }
  throw new StoreUnavailableError(new Error(`${keys.length} keys were left unprocessed`))
}

function wholeRecord(item: DecodedItem, parts: readonly Uint8Array[]): EventRecord {
  try {
    return withLongField(item, Buffer.concat(parts))
  } catch (cause) {
    throw corruptRecord(item, cause)
  }
}

/** The record in the event's item of `all`; undefined where that is an event of another block. */
function recordInAll(item: DecodedItem, [bytes]: readonly Uint8Array[]): EventRecord | undefined {
  try {
    const at = positionIn({ of: 'all' }, placeOf(item.record))
    const { record, apart } = decodeItem(Buffer.from(bytes ?? []), at)
    if (record.blockHash !== item.record.blockHash) return undefined
    if (apart) throw new TypeError('Its long field is not in the item of all')
    return record
  } catch (cause) {
    throw corruptRecord(item, cause)
  }
}

/** Whether the event's item in `all`, the last one to be removed before its chunks, is still that of its block. */
async function isStillStored(
  { record }: DecodedItem,
  { client, tableName, options = {} }: EventTable & { options?: CallOptions },
  cost: StoreCost,
): Promise<boolean> {
  const key = allKey(record)
  const command = new GetItemCommand({
    TableName: tableName,
    Key: { [LIST_KEY]: { S: key.list }, [PLACE_KEY]: { S: key.place } },
    ConsistentRead: true,
    ReturnConsumedCapacity: 'TOTAL',
  })
  const output = await translateErrors(client.send(command, options))
  // Also an item that is not there has its price.
  if (!output.ConsumedCapacity) {
    throw new StoreUnavailableError(new TypeError('The answer to a GetItem is not whole'))
  }
  cost.calls += 1
  cost.examined += 1
  cost.readUnits += output.ConsumedCapacity.CapacityUnits ?? 0
  if (!output.Item) return false
  return blockHashOf(output.Item, key) === record.blockHash
}

function blockHashOf(item: AttributeMap, key: { list: string; place: string }): string {
  try {
    return decodeItem(dataOf(item), positionIn({ of: 'all' }, key.place)).record.blockHash
  } catch (cause) {
    throw new CorruptRowError({ ...key, cause })
  }
}

const allKey = (record: EventRecord) => ({
  list: listKey({ of: 'all' }, record.network),
  place: placeOf(record),
})

const corruptRecord = ({ record }: DecodedItem, cause: unknown) =>
  new CorruptRowError({ ...allKey(record), cause })
