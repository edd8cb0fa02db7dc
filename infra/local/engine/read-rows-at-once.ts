import { createRequire } from 'node:module'
import type { Internals, Item, Range, Reading, Store, Table } from 'dynalite/db'
import { isSupported, type RowsRead, readingResult } from './reading-result.ts'

const require = createRequire(import.meta.url)

/** The maximum number of bytes that one Query or Scan reads, as in DynamoDB. */
const MAX_PAGE_BYTES = 1024 * 1024
const ROWS_TOGETHER = 1000

/**
 * Makes dynalite fetch many rows of a Query or Scan at a time, instead of passing each row through several streams.
 * Dynalite's own code still handles local indexes, indexes that project only some attributes, and every other
 * Query or Scan that `readingResult` does not support. Call this before dynalite is loaded.
 */
export function readRowsAtOnce(): void {
  const db = require('dynalite/db') as Internals
  const own = db.queryTable
  db.queryTable = (store, table, reading, range, isLocal, readsItemsOfIndex, startKeyNames, callback) => {
    if (readsItemsOfIndex || isLocal || !isSupported(reading)) {
      own(store, table, reading, range, isLocal, readsItemsOfIndex, startKeyNames, callback)
      return
    }
    readPage(db, { store, table, reading, range: withPrefix(range, reading) }).then(
      page => callback(null, readingResult(db, { reading, page, startKeyNames })),
      callback,
    )
  }
}

/** All tables and indexes are in one LevelDB store, where each of them has its own key prefix. */
function withPrefix({ gt, gte, lt, lte, reverse }: Range, { TableName, IndexName }: Reading): Range {
  const prefix = IndexName ? `index-global~${TableName}~${IndexName}~` : `item-${TableName}~`
  return {
    ...(gt && !gte ? { gt: prefix + gt } : { gte: prefix + (gte ?? '') }),
    ...(lte ? { lte: prefix + lte } : { lt: prefix + (lt ?? '\xff') }),
    ...(reverse && { reverse }),
  }
}

async function readPage(
  db: Internals,
  { store, table, reading, range }: { store: Store; table: Table; reading: Reading; range: Range },
): Promise<RowsRead> {
  const limit = reading.Limit ?? Number.POSITIVE_INFINITY
  const sortKey = table.KeySchema[1]?.AttributeName
  const bounds = { limit: reading.Limit ?? -1, highWaterMarkBytes: MAX_PAGE_BYTES }
  const rows = store.db.values({ ...range, ...bounds })
  const items: Item[] = []
  let [bytes, capacityBytes] = [0, 0]
  try {
    for (;;) {
      const fetched = await rows.nextv(Math.min(ROWS_TOGETHER, limit - items.length))
      for (const item of fetched) {
        items.push(item)
        capacityBytes += db.itemSize(item)
        bytes += db.itemSize(item, true, true, sortKey)
        if (bytes >= MAX_PAGE_BYTES) return { items, capacityBytes, isCut: true }
      }
      if (items.length >= limit) return { items, capacityBytes, isCut: true }
      if (fetched.length === 0) return { items, capacityBytes, isCut: false }
    }
  } finally {
    await rows.close()
  }
}
