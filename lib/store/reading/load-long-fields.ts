import { setTimeout } from 'node:timers/promises'
import { BatchGetItemCommand, type BatchGetItemCommandOutput } from '@aws-sdk/client-dynamodb'
import { placeOf } from '../../events/place.ts'
import type { EventRecord } from '../../events/record.ts'
import { CorruptRowError, namingRow, StoreUnavailableError } from '../../query/errors.ts'
import type { CallOptions, StoreCost } from '../../query/event-store.ts'
import { type AttributeMap, cutBatches, type EventTable } from '../event-table.ts'
import { chunkList, chunkPlace, readItem } from '../format/event-items.ts'
import { DATA, LIST_KEY, listKey, PLACE_KEY } from '../format/keys.ts'
import { type DecodedItem, withLongField } from '../format/record-codec.ts'
import { UnprocessedError } from '../try-again.ts'
import { translateErrors } from './translate-errors.ts'

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const MAX_BATCH_KEYS = 100
/**
 * The upper limits of the random delays before retries of unprocessed keys. The limits are low, because a reader cannot
 * wait long.
 */
const RETRY_DELAYS_MS = [50, 100, 200]

export interface LongRecords {
  /** Completes a record whose long field is stored elsewhere. Resolves with `removed` if the event is gone. */
  of(item: DecodedItem): Promise<EventRecord | 'removed'>
  cost: StoreCost
}

/** Makes as few calls as DynamoDB allows. */
export async function loadLongFields(
  items: readonly DecodedItem[],
  table: EventTable & { options?: CallOptions },
): Promise<LongRecords> {
  const cost = { calls: 0, examined: 0, readUnits: 0 }
  const parts = new Map<string, Uint8Array>()

  async function fetchParts(keys: AttributeMap[], consistent: boolean): Promise<void> {
    // DynamoDB rejects duplicate keys, which occur because copies of an event at different places share their chunks.
    const batches = cutBatches([...new Map(keys.map(key => [keyText(key), key])).values()], MAX_BATCH_KEYS)
    const found = await Promise.all(batches.map(batch => getBatch(batch, { ...table, consistent, cost })))
    for (const chunk of found.flat()) parts.set(keyText(chunk), chunk[DATA]?.B ?? new Uint8Array())
  }

  function partsOf(keys: AttributeMap[]): Uint8Array[] | undefined {
    const found = keys.flatMap(key => parts.get(keyText(key)) ?? [])
    return found.length === keys.length ? found : undefined
  }

  /** Returns the whole record, or undefined if a part of its long field is missing or belongs to another block. */
  function found(item: DecodedItem): EventRecord | undefined {
    const bytes = partsOf(keysOf(item))
    if (!bytes || isInAll(item)) return bytes && recordInAll(item, bytes)
    return namingRow(allKey(item.record), () => withLongField(item, Buffer.concat(bytes)))
  }

  await fetchParts(items.flatMap(keysOf), false)
  return {
    cost,
    async of(item) {
      const record = found(item)
      if (record) return record
      // This read is strongly consistent, because the first read may have reached a replica that lacked a new part.
      await fetchParts(keysOf(item), true)
      const foundAtLast = found(item)
      if (foundAtLast) return foundAtLast
      // The event's item in `all` is missing or belongs to another block. In both cases, the event was removed, because
      // its item in `all` exists whenever any of its other items exists.
      if (isInAll(item)) return 'removed'
      // This read must follow the read of the chunks, because a removal deletes an event's items before its chunks.
      if (!(await isStillStored(item, { ...table, consistent: true, cost }))) return 'removed'
      throw new CorruptRowError({
        ...allKey(item.record),
        cause: new TypeError('A chunk of the long field is missing'),
      })
    },
  }
}

/** A thousand chunks contain 350 MB, more than any chain's block can contain, so a higher count is corrupt. */
const MAX_CHUNKS = 1000

const isInAll = ({ elsewhere }: DecodedItem) => elsewhere?.isInAll === true

function keysOf(item: DecodedItem): AttributeMap[] {
  return isInAll(item) ? [itemKey(allKey(item.record))] : chunkKeys(item)
}

/** Empty if the item has the complete record, or if the number of chunks is corrupt. */
function chunkKeys({ record, elsewhere }: DecodedItem): AttributeMap[] {
  if (!elsewhere || elsewhere.isInAll || elsewhere.chunks < 1 || elsewhere.chunks > MAX_CHUNKS) return []
  const list = chunkList(record)
  return Array.from({ length: elsewhere.chunks }, (_, index) => itemKey({ list, place: chunkPlace(index) }))
}

const itemKey = ({ list, place }: { list: string; place: string }): AttributeMap => ({
  [LIST_KEY]: { S: list },
  [PLACE_KEY]: { S: place },
})

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
    if (!items) throw new StoreUnavailableError(new TypeError('The answer to a BatchGetItem is incomplete'))
    found.push(...items)
    cost.calls += 1
    cost.examined += items.length
    cost.readUnits += output.ConsumedCapacity?.[0]?.CapacityUnits ?? 0
    keys = output.UnprocessedKeys?.[tableName]?.Keys ?? []
    if (keys.length === 0) return found
    if (delayMs !== undefined) await setTimeout(delayMs * Math.random())
  }
  throw new StoreUnavailableError(new UnprocessedError(`DynamoDB left ${keys.length} keys unprocessed`))
}

/** Returns the record of the event's item in `all`, or undefined if this item now belongs to another block. */
function recordInAll(item: DecodedItem, [bytes]: readonly Uint8Array[]): EventRecord | undefined {
  const key = allKey(item.record)
  return namingRow(key, () => {
    const { record, elsewhere } = readItem(bytes, { list: { of: 'all' }, place: key.place })
    if (record.blockHash !== item.record.blockHash) return undefined
    if (elsewhere) throw new TypeError('The list of all events does not contain the long field')
    return record
  })
}

async function isStillStored(item: DecodedItem, reading: BatchReading): Promise<boolean> {
  const key = allKey(item.record)
  const [stored] = await getBatch([itemKey(key)], reading)
  if (!stored) return false
  const bytes = stored[DATA]?.B
  const { record } = namingRow(key, () => readItem(bytes, { list: { of: 'all' }, place: key.place }))
  return record.blockHash === item.record.blockHash
}

const allKey = (record: EventRecord) => ({
  list: listKey({ of: 'all' }, record.network),
  place: placeOf(record),
})
