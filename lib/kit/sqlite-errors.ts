/** SQLite's result codes (https://www.sqlite.org/rescode.html). */
export const SQLITE_BUSY = 5
const SQLITE_IOERR = 10
export const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
export const SQLITE_NOT_A_DATABASE = 26

export type SqliteError = Error & { errcode?: number }

/**
 * Whether an error is temporary: another program has locked the file, the disk has failed, or the disk is full. The
 * lowest byte of an extended result code is the primary result code.
 */
export const isPassing = (error: unknown): error is SqliteError =>
  [SQLITE_BUSY, SQLITE_IOERR, SQLITE_FULL].includes(((error as SqliteError).errcode ?? 0) & 0xff)
