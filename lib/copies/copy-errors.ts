/** The database holds a copy of other events, or of another service. */
export class OtherCopyError extends Error {
  override readonly name = 'OtherCopyError'
  readonly code = 'other-copy'

  constructor({ database, source }: { database: string; source: string }) {
    super(`${database} is a copy of ${source}: give another database, or --rebuild to make the copy anew`)
  }
}

/** An earlier or later version has made the copy. */
export class OtherLayoutError extends Error {
  override readonly name = 'OtherLayoutError'
  readonly code = 'other-layout'

  constructor({ database }: { database: string }) {
    super(`${database} is a copy with tables of another version: give --rebuild to make the copy anew`)
  }
}

/** A table has the name of one of the copy's. */
export class ForeignTableError extends Error {
  override readonly name = 'ForeignTableError'
  readonly code = 'foreign-table'

  constructor({ database, table }: { database: string; table: string }) {
    super(`${database} has a table ${table} that belongs to no copy: give another database or schema`)
  }
}

/** Somebody else has moved the copy on. */
export class CopyMovedError extends Error {
  override readonly name = 'CopyMovedError'
  readonly code = 'copy-moved'

  constructor({ database }: { database: string }) {
    super(`Another process changes the copy in ${database}: let only one process follow into a copy`)
  }
}

/** The database cannot be asked for the moment. */
export class CopyUnavailableError extends Error {
  override readonly name = 'CopyUnavailableError'
  readonly code = 'copy-unavailable'

  constructor({ database, cause }: { database: string; cause: Error }) {
    super(`No answer from ${database}: ${reasonOf(cause)}`, { cause })
  }
}

/** Attempts at several addresses fail with several errors, and no message. */
const reasonOf = (error: Error & { code?: string }) => error.message || error.code || error.name

/** The text names no database that a copy can be in. */
export class CopyTargetError extends Error {
  override readonly name = 'CopyTargetError'
  readonly code = 'copy-target'

  // The text may hold a password.
  constructor() {
    super('--to is sqlite:FILE or postgres://USER@HOST:PORT/DATABASE')
  }
}
