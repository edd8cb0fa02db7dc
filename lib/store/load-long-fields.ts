import { setTimeout } from 'node:timers/promises'
import { BatchGetItemCommand, type BatchGetItemCommandOutput, GetItemCommand } from '@aws-sdk/client-dynamodb'
import type { EventRecord } from '../events/record.ts'
import { StoreUnavailableError } from '../query/errors.ts'
import type { CallOptions, StoreCost } from '../query/event-store.ts'
import { corruptRow } from './corrupt-row.ts'
import { cutBatches } from './cut-batches.ts'
import type { AttributeMap, EventTable } from './event-table.ts'
import { chunkList, chunkPlace } from './item.ts'
import { LIST_KEY, PLACE_KEY } from './keys.ts'
import { type LongFields, longFieldsSchema } from './long-fields.ts'
import { translateErrors } from './translate-errors.ts'

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const MAX_BATCH_KEYS = 100
/** Keys come back unprocessed when the table is throttled; a reader cannot wait for long. */
const RETRY_DELAYS_MS = [50, 100, 200]

export interface LoadedFields {
  /** The long fields of an item that keeps them apart; `removed` when its event is no longer stored. */
  of(item: AttributeMap): Promise<LongFields | 'removed'>
  cost: StoreCost
}

/** Fetches the long fields of all items that keep them apart, in as few calls as DynamoDB allows. */
export async function loadLongFields(
  items: AttributeMap[],
  table: EventTable & { options?: CallOptions },
): Promise<LoadedFields> {
  const cost = { calls: 0, examined: 0, readUnits: 0 }
  const parts = new Map<string, Uint8Array>()

  async function fetchParts(keys: AttributeMap[], consistent: boolean): Promise<void> {
    const batches = cutBatches(keys, MAX_BATCH_KEYS)
    const found = await Promise.all(batches.map(batch => getBatch(batch, { ...table, consistent, cost })))
    for (const chunk of found.flat()) parts.set(keyText(chunk), chunk.part?.B ?? new Uint8Array())
  }

  function partsOf(keys: AttributeMap[]): Uint8Array[] | undefined {
    const found = keys.flatMap(key => parts.get(keyText(key)) ?? [])
    return found.length === keys.length ? found : undefined
  }

  await fetchParts(items.flatMap(chunkKeys), false)
  return {
    cost,
    async of(item) {
      const keys = chunkKeys(item)
      const found = partsOf(keys)
      if (found) return parseParts(item, found)
      // Written a moment ago, perhaps: of three copies of the table, one may not have it yet.
      await fetchParts(keys, true)
      const foundAtLast = partsOf(keys)
      if (foundAtLast) return parseParts(item, foundAtLast)
      // Asked last: an event that is being removed loses its items before its chunks.
      if (!(await isStillStored(item, table, cost))) return 'removed'
      throw corruptRow(item, new TypeError('A chunk is missing'))
    },
  }
}

/** 350 MB, more than a block of any chain can hold: where an item says more, the number itself is wrong. */
const MAX_CHUNKS = 1000

/** Where the parts of an item's long fields stand; nowhere when it has none, or says no number of them. */
function chunkKeys(item: AttributeMap): AttributeMap[] {
  const count = Number(item.chunks?.N)
  if (!Number.isInteger(count) || count < 1 || count > MAX_CHUNKS) return []
  const list = chunkList({
    network: item.network?.S as EventRecord['network'],
    transactionHash: item.transactionHash?.S ?? '',
    logIndex: Number(item.logIndex?.N),
    blockHash: item.blockHash?.S ?? '',
  })
  return Array.from({ length: count }, (_, index) => ({
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

function parseParts(item: AttributeMap, parts: Uint8Array[]): LongFields {
  try {
    const text = Buffer.concat(parts).toString('utf8')
    if (text.length > Number(item.bytes?.N)) throw new RangeError('It is larger than its size says')
    return longFieldsSchema.parse(JSON.parse(text))
  } catch (cause) {
    throw corruptRow(item, cause)
  }
}

async function isStillStored(
  item: AttributeMap,
  { client, tableName, options = {} }: EventTable & { options?: CallOptions },
  cost: StoreCost,
): Promise<boolean> {
  const { [LIST_KEY]: list, [PLACE_KEY]: place } = item
  if (!list || !place) return true
  const command = new GetItemCommand({
    TableName: tableName,
    Key: { [LIST_KEY]: list, [PLACE_KEY]: place },
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
  return output.Item?.blockHash?.S === item.blockHash?.S
}
