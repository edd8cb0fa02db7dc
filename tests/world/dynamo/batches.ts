import type { Item, Table } from 'dynalite/db'
import { db, type Message } from './dynalite-internals.ts'
import { refusal } from './dynamo-error.ts'
import { type EngineStore, runAction } from './execute-operation.ts'

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const MAX_BATCH_WRITES = 25
/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const MAX_BATCH_GET_BYTES = 16 * 1024 * 1024

interface Write {
  PutRequest?: { Item: Item }
  DeleteRequest?: { Key: Item }
}

interface Keys extends Message {
  Keys: Item[]
  ConsistentRead?: boolean
}

interface Batch<Requests> extends Message {
  RequestItems: Record<string, Requests>
}

interface BatchStores {
  latest: EngineStore
  eventual: EngineStore
  tableOf: (name: string) => Table
  /** Whether the request at this index of the batch stays unprocessed. */
  isUnprocessed: (at: number) => boolean
}

/** Rejects an invalid batch as a whole. Writes a valid batch item by item, because a batch is not a transaction. */
export function batchWriteItem(request: Message, { latest, tableOf, isUnprocessed }: BatchStores): Message {
  const { RequestItems, ReturnConsumedCapacity } = request as unknown as Batch<Write[]>
  const writes = Object.entries(RequestItems).flatMap(([TableName, requests]) =>
    requests.map(write => ({ TableName, write, key: writtenKey(write, tableOf(TableName)) })),
  )
  if (writes.length > MAX_BATCH_WRITES) {
    throw db.validationError('Too many items requested for the BatchWriteItem call')
  }
  if (new Set(writes.map(({ TableName, key }) => `${TableName} ${key}`)).size < writes.length) {
    throw db.validationError('Provided list of item keys contains duplicates')
  }
  const isLeft = leaveSome(writes.length, isUnprocessed)
  const UnprocessedItems: Record<string, Write[]> = {}
  const units: Record<string, number> = {}
  for (const [at, { TableName, write }] of writes.entries()) {
    if (isLeft(at)) {
      UnprocessedItems[TableName] ??= []
      UnprocessedItems[TableName].push(write)
      continue
    }
    const [operation, parameters] = write.PutRequest
      ? ['PutItem', write.PutRequest]
      : ['DeleteItem', write.DeleteRequest]
    addUnits(
      units,
      runAction(operation, latest, { TableName, ...parameters, ReturnConsumedCapacity: 'TOTAL' }),
    )
  }
  return { UnprocessedItems, ...capacityOf(units, ReturnConsumedCapacity) }
}

/** Reads the keys one by one. The items are in the order of hashed keys, because DynamoDB guarantees no order. */
export function batchGetItem(request: Message, { latest, eventual, tableOf, isUnprocessed }: BatchStores) {
  const { RequestItems, ReturnConsumedCapacity } = request as unknown as Batch<Keys>
  const reads = Object.entries(RequestItems).flatMap(([TableName, { Keys: keys, ...parameters }]) =>
    keys.map(Key => ({ TableName, Key, parameters })),
  )
  for (const { TableName, Key } of reads) throwIf(db.validateKey(Key, tableOf(TableName)))
  const isLeft = leaveSome(reads.length, isUnprocessed)
  const found: Record<string, { key: string; item: Item }[]> = {}
  const UnprocessedKeys: Record<string, Message & { Keys: Item[] }> = {}
  const units: Record<string, number> = {}
  let bytes = 0
  for (const [at, { TableName, Key, parameters }] of reads.entries()) {
    found[TableName] ??= []
    const isFull = bytes >= MAX_BATCH_GET_BYTES
    if (isFull || isLeft(at)) {
      UnprocessedKeys[TableName] ??= { ...asSent(parameters), Keys: [] }
      UnprocessedKeys[TableName].Keys.push(Key)
      continue
    }
    const answer = runAction('GetItem', parameters.ConsistentRead ? latest : eventual, {
      ...{ TableName, Key, ...parameters, ReturnConsumedCapacity: 'TOTAL' },
    })
    addUnits(units, answer)
    if (!answer.Item) continue
    const item = answer.Item as Item
    bytes += db.itemSize(item)
    found[TableName].push({ key: db.createKey(Key, tableOf(TableName)), item })
  }
  const Responses = Object.fromEntries(
    Object.entries(found).map(([name, items]) => [
      name,
      items.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item),
    ]),
  )
  return { Responses, UnprocessedKeys, ...capacityOf(units, ReturnConsumedCapacity) }
}

function writtenKey({ PutRequest, DeleteRequest }: Write, table: Table): string {
  const written = PutRequest?.Item ?? DeleteRequest?.Key ?? {}
  throwIf(PutRequest ? db.validateItem(written, table) : db.validateKey(written, table))
  return db.createKey(written, table)
}

/** Dynalite stores the parsed parts of a request in fields with an underscore. */
const asSent = (parameters: Message): Message =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !name.startsWith('_')))

function throwIf(error: Error | null | undefined) {
  if (error) throw error
}

/** Throws if no request would be processed, because DynamoDB then rejects the batch. */
function leaveSome(count: number, isUnprocessed: (at: number) => boolean): (at: number) => boolean {
  const left = Array.from({ length: count }, (_, at) => isUnprocessed(at))
  if (left.every(Boolean)) throw refusal('ProvisionedThroughputExceededException')
  return at => left[at] === true
}

function addUnits(units: Record<string, number>, { ConsumedCapacity }: Message) {
  const { TableName, CapacityUnits } = ConsumedCapacity as { TableName: string; CapacityUnits: number }
  units[TableName] = (units[TableName] ?? 0) + CapacityUnits
}

function capacityOf(units: Record<string, number>, wanted: unknown): Message {
  if (wanted !== 'TOTAL' && wanted !== 'INDEXES') return {}
  return {
    ConsumedCapacity: Object.entries(units).map(([TableName, CapacityUnits]) => ({
      TableName,
      CapacityUnits,
      ...(wanted === 'INDEXES' && { Table: { CapacityUnits } }),
    })),
  }
}
