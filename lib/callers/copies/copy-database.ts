import { reasonOf } from '../../kit/unreachable-reasons.ts'
import type { CopyTable } from './copy-tables.ts'

/** Large numbers are decimal strings. */
export type Row = Record<string, string | number | null>

export type ReadRow = Record<string, string | undefined>

export interface SqlTransaction {
  /** Runs SQL that is the same for every database. */
  run(sql: string): Promise<void>
  /**
   * Waits until no other follower is creating the copy's tables, and makes other followers wait until the transaction
   * ends. In the transaction, the names of tables and indexes refer only to the schema of the copy.
   */
  lockTables(): Promise<void>
  /** Corrects values that an earlier version of this program stored with another type. */
  mendCopy(): Promise<void>
  /** Empty if the table does not exist. */
  columnsOf(table: string): Promise<string[]>
  create(table: CopyTable): Promise<void>
  clear(table: CopyTable): Promise<void>
  /** Returns all rows of a small table, and locks them against other writers until the transaction ends. */
  lock(table: CopyTable): Promise<ReadRow[]>
  /** Inserts rows, replacing stored rows with the same key. `rows` must not contain a key more than once. */
  put(table: CopyTable, rows: readonly Row[]): Promise<void>
  /** Deletes the rows that match any of `keys`. Each key contains columns and their values. */
  remove(table: CopyTable, keys: readonly Row[]): Promise<void>
  find(table: CopyTable, keys: readonly Row[]): Promise<ReadRow[]>
}

export interface CopyDatabase {
  /** The database's name in messages. It never contains a password. */
  name: string
  /** Runs `work` in a transaction. Either all changes of `work` take effect or none, even if the process is killed. */
  transaction<Result>(work: (transaction: SqlTransaction) => Promise<Result>): Promise<Result>
  /** Runs a query outside a transaction. All values are returned as text. */
  read(sql: string): Promise<ReadRow[]>
  /** Called once the database is known to contain this copy, because a database that is refused must stay unchanged. */
  startWriting?(): void
  close(): Promise<void>
}

export class CopyUnavailableError extends Error {
  override readonly name = 'CopyUnavailableError'

  constructor({ database, cause }: { database: string; cause: Error }) {
    super(`${database} is not available: ${explain(cause)}`, { cause })
  }
}

export const lacksTable = (database: string) =>
  new Error(
    `${database} lacks a table of the copy, because the table was dropped, or because a replica without it took over: use --rebuild to replace the copy`,
  )

/** If connections to several addresses failed, the error has a code, but an empty message. */
const explain = (error: NodeJS.ErrnoException) =>
  reasonOf(error) ?? (error.message || error.code || error.name)
