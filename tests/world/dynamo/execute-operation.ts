import type { Callback, Item, Range, Reading, ReadingResult, Table } from 'dynalite/db'
import { isSupported, readingResult } from '../../../infra/local/engine/reading-result.ts'
import { type ActionStore, actionOf, db, type Message } from './dynalite-internals.ts'
import { readRows } from './read-rows.ts'
import type { ItemTree } from './sorted-items.ts'

export interface EngineStore extends ActionStore {
  treeOf(tableName: string, indexName?: string): ItemTree
  updateIndexes(tableName: string, before: Item | undefined, after: Item | undefined): void
}

/** Runs dynalite's action, which must end synchronously. Throws the action's error. */
export function runAction(operation: string, store: EngineStore, request: Message): Message {
  let outcome: { error: unknown; answer: Message | undefined } | undefined
  actionOf(operation)(store, request, (error, answer) => {
    outcome = { error, answer }
  })
  if (!outcome) throw new Error(`dynalite did not answer ${operation} at once`)
  if (outcome.error) throw outcome.error
  return outcome.answer ?? {}
}

/** Dynalite reads rows in streams and writes indexes in callbacks. These replacements do both synchronously. */
db.queryTable = (
  store: EngineStore,
  table: Table,
  reading: Reading,
  range: Range,
  _isLocal: boolean | undefined,
  _readsItems: boolean,
  startKeyNames: string[],
  callback: Callback<ReadingResult>,
) => {
  if (!isSupported(reading)) throw new Error('The DynamoDB in memory does not support this form of read')
  const tree = store.treeOf(reading.TableName, reading.IndexName)
  const page = readRows(tree, { range, limit: reading.Limit, sortKey: table.KeySchema[1]?.AttributeName })
  callback(null, readingResult(db as never, { reading, page, startKeyNames }))
}

db.updateIndexes = (store, table, before, after, callback) => {
  const { updateIndexes } = store as EngineStore
  updateIndexes((table as Table & { TableName: string }).TableName, before, after ?? undefined)
  callback(null)
}
