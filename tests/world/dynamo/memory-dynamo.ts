import type { Callback, Item, Table } from 'dynalite/db'
import { batchGetItem, batchWriteItem } from './batches.ts'
import { checkRequest, db, type Message } from './dynalite-internals.ts'
import { DynamoError } from './dynamo-error.ts'
import { type EngineStore, runAction } from './execute-operation.ts'
import { copyOf, emptyTable, type MemoryTable, type TableDescription, updateIndexes } from './memory-table.ts'

/** The decisions that DynamoDB makes. By default, every call succeeds and every read returns the latest items. */
interface Choices {
  /** Whether the request at this index of a batch stays unprocessed. */
  isUnprocessed?(at: number): boolean
  /** How many of the latest changes an eventually consistent read does not see. */
  changesBehind?(read: EventualRead): number
}

interface EventualRead {
  tableName: string
  /** Undefined for a read of the table itself. */
  indexName: string | undefined
  /** How many of the latest changes happened after this time, in milliseconds. */
  changesSince(moment: number): number
}

interface ExpiryOptions {
  tableName: string
  /** The attribute with the time of expiry in Unix seconds. */
  attribute: string
  isChosen?: (item: Item) => boolean
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const MAX_ITEM_BYTES = 400 * 1024
/**
 * Time to live ignores items that expired longer ago than this.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ttl-expired-items.html
 */
const MAX_EXPIRED_SECONDS = 5 * 365 * 86_400

/**
 * Creates an engine that answers synchronously and deterministically. Request validation and expression evaluation come
 * from dynalite, so the engine is as strict as dynalite. Tables, indexes, pages and batches are implemented here,
 * because dynalite's versions use timers, streams and random numbers. `now` returns milliseconds.
 */
export function createMemoryDynamo({ now }: { now: () => number }) {
  const tables = new Map<string, MemoryTable>()
  const latest = createStore(() => 0)
  const eventual = createStore(read => dynamo.choices.changesBehind?.(read) ?? 0)
  const dynamo = {
    /** May be replaced at any time. */
    choices: {} as Choices,
    /**
     * Runs an operation synchronously. Throws `DynamoError` if DynamoDB would return an error. Throws another error for
     * an operation or a parameter that this engine does not support. Answers share their items with the tables, so
     * callers must not change them.
     */
    execute(operation: string, input: object): object {
      try {
        return perform(operation, input as Message)
      } catch (error) {
        throw asDynamoError(error)
      }
    },
    /**
     * Deletes all expired items or only the chosen ones, as DynamoDB's time to live would do later. Returns how many it
     * deleted.
     */
    deleteExpired({ tableName, attribute, isChosen = () => true }: ExpiryOptions): number {
      const seconds = Math.floor(now() / 1000)
      const isExpired = (item: Item) => {
        const { N } = (item[attribute] ?? {}) as { N?: string }
        return N !== undefined && Number(N) < seconds && Number(N) >= seconds - MAX_EXPIRED_SECONDS
      }
      const { items } = tableOf(tableName)
      const expired = [...items.before(0).entries()].filter(([, item]) => isExpired(item) && isChosen(item))
      for (const [key, item] of expired) {
        latest.updateIndexes(tableName, item, undefined)
        items.remove(key)
      }
      return expired.length
    },
    snapshot: (name: string) => copyOf(tableOf(name)),
    /** The key has the form that requests use. */
    itemAt(name: string, key: Item): Item | undefined {
      const { items, description } = tableOf(name)
      return items.get(db.createKey(key, description))
    },
    itemsOf: (name: string) => tableOf(name).items.before(0).valuesArray(),
    restore(copy: MemoryTable, name: string) {
      tables.set(name, { ...copyOf(copy), description: { ...copy.description, TableName: name } })
    },
  }
  return dynamo

  function perform(operation: string, input: Message): Message {
    if (!OPERATIONS.has(operation)) throw new Error(`The DynamoDB in memory does not know ${operation}`)
    const request = checkRequest(operation, input, latest)
    const isUnprocessed = (at: number) => dynamo.choices.isUnprocessed?.(at) ?? false
    const description = (name: string) => tableOf(name).description
    switch (operation) {
      case 'BatchWriteItem':
        return batchWriteItem(request, { latest, eventual, tableOf: description, isUnprocessed })
      case 'BatchGetItem':
        return batchGetItem(request, { latest, eventual, tableOf: description, isUnprocessed })
      case 'GetItem':
      case 'Query':
      case 'Scan':
        return runAction(operation, request.ConsistentRead ? latest : eventual, request)
      case 'CreateTable':
        return { TableDescription: createTable(request as unknown as CreateTableRequest) }
      case 'DeleteTable': {
        const { description } = tableOf(String(request.TableName))
        tables.delete(description.TableName)
        return { TableDescription: { ...description, TableStatus: 'DELETING' } }
      }
      default:
        return runAction(operation, latest, request)
    }
  }

  function tableOf(name: string): MemoryTable {
    const table = tables.get(name)
    if (table) return table
    throw new DynamoError(
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${name} not found`,
    )
  }

  function createStore(changesBehind: (read: EventualRead) => number): EngineStore {
    const treeOf = (tableName: string, indexName?: string) => {
      const table = tableOf(tableName)
      const sorted = indexName === undefined ? table.items : table.indexes.get(indexName)
      if (!sorted) throw new Error(`The table ${tableName} has no index ${indexName}`)
      return sorted.before(changesBehind({ tableName, indexName, changesSince: sorted.changesSince }))
    }
    return {
      options: { maxItemSize: MAX_ITEM_BYTES },
      treeOf,
      getTable: (name, ...rest) => (rest.at(-1) as Callback<Table>)(null, tableOf(name).description),
      getItemDb: name => ({
        get: (key, callback) => callback(null, treeOf(name).get(key)),
        put(key, item, callback) {
          tableOf(name).items.put(key, item)
          callback(null)
        },
        del(key, callback) {
          tableOf(name).items.remove(key)
          callback(null)
        },
        lock: (_keys, work) => work(callback => callback),
      }),
      updateIndexes: (name, before, after) => updateIndexes(tableOf(name), before, after),
    }
  }

  function createTable(request: CreateTableRequest): TableDescription {
    const { TableName, GlobalSecondaryIndexes, LocalSecondaryIndexes, BillingMode, ...definition } = request
    if (tables.has(TableName))
      throw new DynamoError('ResourceInUseException', `Table already exists: ${TableName}`)
    if (
      LocalSecondaryIndexes ||
      GlobalSecondaryIndexes?.some(index => index.Projection.ProjectionType !== 'ALL')
    ) {
      throw new Error('The DynamoDB in memory knows only global indexes that project all attributes')
    }
    const description = {
      ...definition,
      TableName,
      TableArn: `arn:aws:dynamodb:local:000000000000:table/${TableName}`,
      TableStatus: 'ACTIVE',
      CreationDateTime: now() / 1000,
      ...(BillingMode && { BillingModeSummary: { BillingMode } }),
      ...(GlobalSecondaryIndexes && {
        GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(index => ({ ...index, IndexStatus: 'ACTIVE' })),
      }),
    }
    tables.set(TableName, emptyTable(description, now))
    return description
  }
}

const OPERATIONS = new Set([
  ...['BatchGetItem', 'BatchWriteItem', 'CreateTable', 'DeleteItem', 'DeleteTable', 'DescribeTable'],
  ...['GetItem', 'PutItem', 'Query', 'Scan', 'UpdateItem'],
])

interface CreateTableRequest extends Message {
  TableName: string
  AttributeDefinitions: object[]
  BillingMode?: string
  KeySchema: Table['KeySchema']
  GlobalSecondaryIndexes?: {
    IndexName: string
    KeySchema: Table['KeySchema']
    Projection: { ProjectionType: string }
  }[]
}

/** Dynalite's errors contain the body of DynamoDB's answer. Returns other errors unchanged. */
function asDynamoError(error: unknown): unknown {
  const { body } = error as { body?: { __type: string; message?: string; Message?: string } }
  return body ? new DynamoError(body.__type, body.message ?? body.Message ?? '') : error
}
