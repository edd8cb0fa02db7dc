import type { CopyTable } from './copy-tables.ts'

/** A row to store. Large numbers are decimal text. */
export type Row = Record<string, string | number | null>

/** A row of the database. Every value is text. */
export type ReadRow = Record<string, string | undefined>

/** The operations that a copy needs within one transaction. */
export interface SqlTransaction {
  /** Runs SQL that is the same for every database. */
  run(sql: string): Promise<void>
  /**
   * Waits until no other follower creates the copy's tables, and keeps other followers waiting until the transaction
   * ends. Until then, names of tables and indexes refer only to the schema in which the copy's tables are created.
   */
  lockTables(): Promise<void>
  /** Corrects values of a copy that an earlier version stored in another type. */
  mendCopy(): Promise<void>
  /** The names of a table's columns. Empty if the table does not exist. */
  columnsOf(table: string): Promise<string[]>
  create(table: CopyTable): Promise<void>
  /** Deletes every row of a table. */
  clear(table: CopyTable): Promise<void>
  /** Returns all rows of a small table, and locks the table against other writers until the transaction ends. */
  lock(table: CopyTable): Promise<ReadRow[]>
  /** Inserts rows, or replaces stored rows with the same key. `rows` must not contain a key more than once. */
  put(table: CopyTable, rows: readonly Row[]): Promise<void>
  /** Deletes the rows that match one of `keys`. A key lists columns with their values. */
  remove(table: CopyTable, keys: readonly Row[]): Promise<void>
  /** Returns the rows that match one of `keys`. A key lists columns with their values. */
  find(table: CopyTable, keys: readonly Row[]): Promise<ReadRow[]>
}

export interface CopyDatabase {
  /** The database's name in messages. Contains no password. */
  name: string
  /** Runs the work in a transaction. All of the work takes effect or nothing does, even if the process is killed. */
  transaction<Result>(work: (transaction: SqlTransaction) => Promise<Result>): Promise<Result>
  /** Runs a query outside a transaction. Values are text. */
  read(sql: string): Promise<ReadRow[]>
  close(): Promise<void>
}
