declare module 'dynalite' {
  import type { Server } from 'node:http'

  interface Options {
    /** A directory for LevelDB; in memory without it. */
    path?: string
    createTableMs?: number
    deleteTableMs?: number
  }

  export default function dynalite(options?: Options): Server
}

/** What its own actions are made of, as far as we use it. */
declare module 'dynalite/db' {
  /** In DynamoDB's JSON. */
  type Item = Record<string, object>

  /** What dynalite calls back with. */
  type Callback<Result = unknown> = (error: Error | null, result?: Result) => void

  interface Table {
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
    batch(operations: Operation[], callback: Callback): void
    lock(keys: string[], work: (release: (callback: Callback) => Callback) => void): void
  }

  interface Store {
    getTable(name: string, callback: Callback<Table>): void
    getItemDb(tableName: string): KeyValues
    getIndexDb(type: 'Local' | 'Global', tableName: string, index: string): KeyValues
    db: Files
  }

  /** All that the engine has written, as a database of `abstract-level`. */
  interface Files {
    iterator(options: { valueEncoding: 'utf8' }): AsyncIterable<[key: string, value: string]>
    getMany(keys: string[], options: { valueEncoding: 'utf8' }): Promise<(string | undefined)[]>
    close(): Promise<void>
  }

  interface IndexActions {
    puts: { index: string; key: string; item: Item }[]
    deletes: { index: string; key: string }[]
  }

  interface Internals {
    create(options: { path: string }): Store
    validateItem(item: Item, table: Table): Error | null | undefined
    createKey(item: Item, table: Table): string
    hashPrefix(key: string, type: 'S' | 'N'): string
    getIndexActions(indexes: object[], existing: Item | undefined, item: Item, table: Table): IndexActions
    capacityUnits(item: Item, isRead: boolean, isConsistent: boolean): number
  }
}
