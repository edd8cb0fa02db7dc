import { createRequire } from 'node:module'
import type { Callback, Internals, Item, KeyValues, Operation, Store, Table } from 'dynalite/db'

const require = createRequire(import.meta.url)
const ACTION = 'dynalite/actions/batchWriteItem.js'

interface BatchWrite {
  RequestItems: Record<string, { PutRequest?: { Item: Item } }[]>
  ReturnConsumedCapacity?: 'NONE' | 'TOTAL' | 'INDEXES'
}

type Action = (store: Store, data: BatchWrite, callback: Callback) => void

/**
 * Makes dynalite store a batch of items for one table in a single write, plus one write for each index. By default,
 * dynalite writes each item and each index entry separately. Dynalite's own function still handles all other requests,
 * and rejects invalid ones. This function must be called before dynalite is loaded.
 */
export function writeBatchesWhole(): void {
  const own = require(ACTION) as Action
  const db = require('dynalite/db') as Internals
  const loaded = require.cache[require.resolve(ACTION)]
  if (!loaded) throw new Error('dynalite has no action for BatchWriteItem')
  loaded.exports = createAction(own, db)
}

function createAction(own: Action, db: Internals): Action {
  return (store, data, callback) => {
    const [[tableName, requests] = ['', []], ...otherTables] = Object.entries(data.RequestItems)
    const items = requests.flatMap(({ PutRequest }) => (PutRequest ? [PutRequest.Item] : []))
    const asksForIndexes = data.ReturnConsumedCapacity === 'INDEXES'
    if (otherTables.length > 0 || items.length < requests.length || asksForIndexes)
      return own(store, data, callback)
    store.getTable(tableName, (error, table) => {
      if (error || !table || table.LocalSecondaryIndexes || items.some(item => db.validateItem(item, table)))
        return own(store, data, callback)
      const keys = items.map(item => db.createKey(item, table))
      if (new Set(keys).size < keys.length) return own(store, data, callback)
      const itemDb = store.getItemDb(tableName)
      itemDb.lock(keys, release => {
        const end = release(callback)
        write(table).then(
          result => end(null, result),
          failure => end(failure),
        )
      })

      async function write(table: Table) {
        const existing = await Promise.all(keys.map(key => readItem(itemDb, key)))
        const indexes = table.GlobalSecondaryIndexes ?? []
        const entries = items.flatMap((item, at) => {
          const { puts, deletes } = db.getIndexActions(indexes, existing[at], item, table)
          return [
            ...deletes.map(({ index, key }) => ({ index, type: 'del' as const, key })),
            ...puts.map(({ index, key, item: value }) => ({ index, type: 'put' as const, key, value })),
          ]
        })
        for (const [index, operations] of Map.groupBy(entries, entry => entry.index))
          await writeAll(store.getIndexDb('Global', tableName, index), operations)
        const puts = items.map((value, at): Operation => ({ type: 'put', key: keys[at] ?? '', value }))
        await writeAll(itemDb, puts)
        const unitsOf = (item: Item) => db.capacityUnits(item, false, false)
        const CapacityUnits = items.reduce(
          (sum, item, at) => sum + Math.max(unitsOf(item), unitsOf(existing[at] ?? item)),
          0,
        )
        const ConsumedCapacity = [{ TableName: tableName, CapacityUnits }]
        return { UnprocessedItems: {}, ...(data.ReturnConsumedCapacity === 'TOTAL' && { ConsumedCapacity }) }
      }
    })
  }
}

const readItem = (from: KeyValues, key: string) =>
  new Promise<Item | undefined>((resolve, reject) => {
    from.get(key, (error, item) => (error && error.name !== 'NotFoundError' ? reject(error) : resolve(item)))
  })

const writeAll = (to: KeyValues, operations: Operation[]) =>
  new Promise<void>((resolve, reject) => {
    to.batch(operations, error => (error ? reject(error) : resolve()))
  })
