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

/** Throws if the batch is invalid, and then writes the items one by one, because a batch is not a transaction. */
export function batchWriteItem(request: Message, { latest, isUnprocessed }: BatchStores): Message {
  const { RequestItems } = request as unknown as Batch<Write[]>
  const writes = Object.entries(RequestItems).flatMap(([name, all]) => all.map(write => ({ name, write })))
  if (writes.length > MAX_BATCH_WRITES) {
    throw db.validationError('Too many items requested for the BatchWriteItem call')
  }
  const isLeft = leaveSome(writes.length, isUnprocessed)
  const some = (isWanted: (at: number) => boolean) => {
    const chosen: Record<string, Write[]> = {}
    for (const [at, { name, write }] of writes.entries())
      if (isWanted(at)) chosen[name] = [...(chosen[name] ?? []), write]
    return chosen
  }
  const answer = runAction('BatchWriteItem', latest, { ...request, RequestItems: some(at => !isLeft(at)) })
  return { ...answer, UnprocessedItems: some(isLeft) }
}

/** Reads the keys one by one. The items are in the order of hashed keys, because DynamoDB guarantees no order. */
export function batchGetItem(request: Message, { latest, eventual, tableOf, isUnprocessed }: BatchStores) {
  const { RequestItems, ReturnConsumedCapacity } = request as unknown as Batch<Keys>
  const reads = Object.entries(RequestItems).flatMap(([TableName, { Keys: keys, ...parameters }]) =>
    keys.map(Key => ({ TableName, Key, parameters })),
  )
  for (const { TableName, Key } of reads) {
    const invalid = db.validateKey(Key, tableOf(TableName))
    if (invalid) throw invalid
  }
  const isLeft = leaveSome(reads.length, isUnprocessed)
  const found: Record<string, { key: string; item: Item }[]> = {}
  const UnprocessedKeys: Record<string, Message & { Keys: Item[] }> = {}
  const units: Record<string, number> = {}
  let bytes = 0
  for (const [at, { TableName, Key, parameters }] of reads.entries()) {
    found[TableName] ??= []
    if (bytes >= MAX_BATCH_GET_BYTES || isLeft(at)) {
      UnprocessedKeys[TableName] ??= { ...asSent(parameters), Keys: [] }
      UnprocessedKeys[TableName].Keys.push(Key)
      continue
    }
    const { Item: item, ConsumedCapacity } = runAction(
      'GetItem',
      parameters.ConsistentRead ? latest : eventual,
      { TableName, Key, ...parameters, ReturnConsumedCapacity: 'TOTAL' },
    ) as { Item?: Item; ConsumedCapacity: { CapacityUnits: number } }
    units[TableName] = (units[TableName] ?? 0) + ConsumedCapacity.CapacityUnits
    if (!item) continue
    bytes += db.itemSize(item)
    found[TableName].push({ key: db.createKey(Key, tableOf(TableName)), item })
  }
  const Responses = Object.fromEntries(
    Object.entries(found).map(([name, items]) => [
      name,
      items.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item),
    ]),
  )
  const ConsumedCapacity = Object.entries(units).map(([TableName, CapacityUnits]) => ({
    TableName,
    CapacityUnits,
  }))
  return { Responses, UnprocessedKeys, ...(ReturnConsumedCapacity === 'TOTAL' && { ConsumedCapacity }) }
}

/** Dynalite stores the parsed parts of a request in fields with an underscore. */
const asSent = (parameters: Message): Message =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !name.startsWith('_')))

/** Throws if no request would be processed, because DynamoDB then rejects the batch. */
function leaveSome(count: number, isUnprocessed: (at: number) => boolean): (at: number) => boolean {
  const left = Array.from({ length: count }, (_, at) => isUnprocessed(at))
  if (left.every(Boolean)) throw refusal('ProvisionedThroughputExceededException')
  return at => left[at] === true
}
