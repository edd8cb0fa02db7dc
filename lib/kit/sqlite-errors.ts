/** SQLite's result codes (https://www.sqlite.org/rescode.html). */
/** The general error code, in most cases for wrong SQL. */
export const SQLITE_ERROR = 1
export const SQLITE_BUSY = 5
const SQLITE_IOERR = 10
export const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
export const SQLITE_NOT_A_DATABASE = 26

/**
 * Returns the primary result code, which is the lowest byte of an extended code, or 0 for an error that is not from
 * SQLite.
 */
export const resultCode = (error: unknown): number =>
  ((error as { errcode?: number } | undefined)?.errcode ?? 0) & 0xff

/**
 * Whether another attempt may succeed later: another program has locked the file, a disk operation has failed, or the
 * disk is full.
 */
export const isPassing = (error: unknown): boolean =>
  [SQLITE_BUSY, SQLITE_IOERR, SQLITE_FULL].includes(resultCode(error))
