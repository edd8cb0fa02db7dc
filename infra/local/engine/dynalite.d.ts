declare module 'dynalite' {
  import type { Server } from 'node:http'

  interface Options {
    /** The directory for LevelDB. If undefined, the data is kept in memory. */
    path?: string
    createTableMs?: number
    deleteTableMs?: number
  }

  export default function dynalite(options?: Options): Server
}

/** The parts of dynalite's internal modules that this folder uses. */
declare module 'dynalite/db' {
  /** An item in DynamoDB's JSON format. */
  type Item = Record<string, object>

  type Callback<Result = unknown> = (error: Error | null, result?: Result) => void

  interface Table {
    KeySchema: { AttributeName: string }[]
    LocalSecondaryIndexes?: object[]
    GlobalSecondaryIndexes?: object[]
  }

  interface Operation {
    type: 'put' | 'del'
    key: string
    value?: Item
  }

  interface KeyValues {
    get(key: string, callback: Callback<Item>): void
    put(key: string, item: Item, callback: Callback): void
    batch(operations: Operation[], callback: Callback): void
    lock(keys: string[], work: (release: (callback: Callback) => Callback) => void): void
  }

  interface Store {
    getTable(name: string, callback: Callback<Table>): void
    getItemDb(tableName: string): KeyValues
    getIndexDb(type: 'Local' | 'Global', tableName: string, index: string): KeyValues
    db: Files
  }

  /** All data of the engine, as an `abstract-level` database. */
  interface Files {
    open(): Promise<void>
    values(range: Range & { limit: number; highWaterMarkBytes: number }): Rows
    close(): Promise<void>
  }

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

  /** A Query or a Scan, checked and parsed by dynalite's own actions. */
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
    _filter?: { expression: object }
    _projection?: { paths: unknown[] }
  }

  interface ReadingResult {
    ScannedCount: number
    Count: number
    Items?: Item[]
    LastEvaluatedKey?: Item
    ConsumedCapacity?: object
  }

  type QueryTable = (
    store: Store,
    table: Table,
    reading: Reading,
    range: Range,
    isLocal: boolean | undefined,
    readsItemsOfIndex: boolean,
    startKeyNames: string[],
    callback: Callback<ReadingResult>,
  ) => void

  interface IndexActions {
    puts: { index: string; key: string; item: Item }[]
    deletes: { index: string; key: string }[]
  }

  interface Internals {
    create(options: { path?: string }): Store
    validateItem(item: Item, table: Table): Error | null | undefined
    createKey(item: Item, table: Table, schema?: Table['KeySchema']): string
    hashPrefix(key: string, type: 'S' | 'N'): string
    getIndexActions(indexes: object[], existing: Item | undefined, item: Item, table: Table): IndexActions
    capacityUnits(item: Item, isRead: boolean, isConsistent: boolean): number
    itemSize(item: Item, compress?: boolean, addMetaSize?: boolean, rangeKey?: string): number
    queryTable: QueryTable
    matchesExprFilter(item: Item, expression: object): boolean
    mapPaths(paths: unknown[], item: Item): Item
  }
}
