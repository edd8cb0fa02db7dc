import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** What one Query or Scan reads at most: DynamoDB's limit. */
const MAX_PAGE_BYTES = 1024 * 1024
/** So many rows are fetched together. */
const ROWS_TOGETHER = 1000

type Item = Record<string, object>

type Callback = (error: Error | null, result?: Result) => void

/** The keys of a level store between which rows are read. */
interface Range {
  gt?: string
  gte?: string
  lt?: string
  lte?: string
  reverse?: boolean
}

interface Rows {
  nextv(size: number): Promise<Item[]>
  close(): Promise<void>
}

interface Store {
  db: { values(range: Range & { limit: number; highWaterMarkBytes: number }): Rows }
}

interface Table {
  KeySchema: { AttributeName: string }[]
}

/** A Query or a Scan, as dynalite's own actions have checked and parsed it. */
interface Reading {
  TableName: string
  IndexName?: string
  Limit?: number
  Select?: string
  ConsistentRead?: boolean
  ReturnConsumedCapacity?: 'NONE' | 'TOTAL' | 'INDEXES'
  AttributesToGet?: string[]
  QueryFilter?: object
  ScanFilter?: object
  ConditionalOperator?: string
  _filter?: { expression: object }
  _projection?: { paths: unknown[] }
}

interface Result {
  ScannedCount: number
  Count: number
  Items?: Item[]
  LastEvaluatedKey?: Item
  ConsumedCapacity?: object
}

/** The parts of dynalite's `db` that its own function uses. */
interface Internals {
  queryTable: QueryTable
  itemSize(item: Item, compress?: boolean, addMetaSize?: boolean, rangeKey?: string): number
  matchesExprFilter(item: Item, expression: object): boolean
  matchesFilter(item: Item, filter: object, conditionalOperator?: string): boolean
  mapPaths(paths: unknown[], item: Item): Item
}

type QueryTable = (
  store: Store,
  table: Table,
  reading: Reading,
  range: Range,
  isLocal: boolean | undefined,
  readsItemsOfIndex: boolean,
  startKeyNames: string[],
  callback: Callback,
) => void

/**
 * Makes dynalite fetch the rows of a Query or Scan together, where it waited for each of them and sent it through a
 * chain of events. An index that lacks attributes of the items is left to its own function. To be called before
 * dynalite is loaded.
 */
export function readRowsAtOnce(): void {
  const db = require('dynalite/db') as Internals
  const own = db.queryTable
  db.queryTable = (store, table, reading, range, isLocal, readsItemsOfIndex, startKeyNames, callback) => {
    if (readsItemsOfIndex) {
      own(store, table, reading, range, isLocal, readsItemsOfIndex, startKeyNames, callback)
      return
    }
    readPage(db, { store, table, reading, range: withPrefix(range, reading, isLocal) }).then(
      page => callback(null, resultOf(db, { reading, page, isLocal, startKeyNames })),
      callback,
    )
  }
}

/** All tables and indexes are in one level store, told apart by how their keys begin. */
function withPrefix({ gt, gte, lt, lte, reverse }: Range, reading: Reading, isLocal?: boolean): Range {
  const { TableName, IndexName } = reading
  const prefix = IndexName
    ? `index-${isLocal ? 'local' : 'global'}~${TableName}~${IndexName}~`
    : `item-${TableName}~`
  return {
    ...(gt && !gte ? { gt: prefix + gt } : { gte: prefix + (gte ?? '') }),
    ...(lte ? { lte: prefix + lte } : { lt: prefix + (lt ?? '\xff') }),
    ...(reverse && { reverse }),
  }
}

interface Page {
  items: Item[]
  capacityBytes: number
  /** Whether it ended by a limit, not with the last row. */
  isCut: boolean
}

async function readPage(
  db: Internals,
  { store, table, reading, range }: { store: Store; table: Table; reading: Reading; range: Range },
): Promise<Page> {
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

interface Answering {
  reading: Reading
  page: Page
  isLocal: boolean | undefined
  startKeyNames: string[]
}

function resultOf(db: Internals, { reading, page, isLocal, startKeyNames }: Answering): Result {
  const { Select, AttributesToGet, _filter, _projection } = reading
  const { items, isCut } = page
  const last = items.at(-1)
  const filter = reading.QueryFilter ?? reading.ScanFilter
  let found = items
  if (_filter) found = items.filter(item => db.matchesExprFilter(item, _filter.expression))
  else if (filter) found = items.filter(item => db.matchesFilter(item, filter, reading.ConditionalOperator))
  const paths = _projection?.paths ?? AttributesToGet
  return {
    ScannedCount: items.length,
    Count: found.length,
    ...(isCut &&
      last && { LastEvaluatedKey: Object.fromEntries(startKeyNames.map(name => [name, last[name] ?? {}])) }),
    ...(Select !== 'COUNT' && { Items: paths ? found.map(item => db.mapPaths(paths, item)) : found }),
    ...consumedCapacity(reading, { units: unitsOf(page, reading), isLocal }),
  }
}

const unitsOf = ({ capacityBytes }: Page, { ConsistentRead }: Reading) =>
  Math.ceil(capacityBytes / 4096) * (ConsistentRead ? 1 : 0.5)

function consumedCapacity(
  { ReturnConsumedCapacity, TableName, IndexName }: Reading,
  { units, isLocal }: { units: number; isLocal: boolean | undefined },
): Pick<Result, 'ConsumedCapacity'> {
  if (ReturnConsumedCapacity !== 'TOTAL' && ReturnConsumedCapacity !== 'INDEXES') return {}
  const total = { CapacityUnits: units, TableName }
  if (ReturnConsumedCapacity === 'TOTAL') return { ConsumedCapacity: total }
  const ofIndex = isLocal ? 'LocalSecondaryIndexes' : 'GlobalSecondaryIndexes'
  return {
    ConsumedCapacity: {
      ...total,
      Table: { CapacityUnits: IndexName ? 0 : units },
      ...(IndexName && { [ofIndex]: { [IndexName]: { CapacityUnits: units } } }),
    },
  }
}
