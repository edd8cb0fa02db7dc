import type { CopyTable } from './copy-tables.ts'

/** A row to be stored. Numbers of any size are decimal text. */
export type Row = Record<string, string | number | null>

/** A row as it is read: every value as text. */
export type ReadRow = Record<string, string | undefined>

/** What a copy needs of a database, within one transaction. */
export interface Turn {
  /** Runs statements that differ between databases in nothing. */
  run(sql: string): Promise<void>
  /** The names of a table's columns; none where there is no such table. */
  columnsOf(table: string): Promise<string[]>
  create(table: CopyTable): Promise<void>
  /** Deletes every row of a table. */
  clear(table: CopyTable): Promise<void>
  /** All rows of a small table, which nobody else may change until the transaction ends. */
  lock(table: CopyTable): Promise<ReadRow[]>
  /** Stores rows, in place of those with the same key. No key may be given twice. */
  put(table: CopyTable, rows: readonly Row[]): Promise<void>
  /** Deletes the rows that have one of these values in all columns that the values name. */
  remove(table: CopyTable, keys: readonly Row[]): Promise<void>
  /** The rows with one of these keys. */
  find(table: CopyTable, keys: readonly Row[]): Promise<ReadRow[]>
}

export interface CopyDatabase {
  /** What messages call it; without a password. */
  name: string
  /** Does all of the work or nothing, whatever happens to either process meanwhile. */
  transaction<Result>(work: (turn: Turn) => Promise<Result>): Promise<Result>
  /** Reads outside a transaction. Values are text. */
  read(sql: string): Promise<ReadRow[]>
  close(): Promise<void>
}
