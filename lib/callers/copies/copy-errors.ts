export class OtherCopyError extends Error {
  override readonly name = 'OtherCopyError'
  readonly code = 'other-copy'

  constructor({ database, source }: { database: string; source: string }) {
    // A copy that an earlier version wrote may contain the password from the service's URL.
    const shown = source.replace(/\/\/[^/?#\s]*@/, '//')
    super(`${database} is a copy of ${shown}: choose another database, or use --rebuild to replace the copy`)
  }
}

export class OtherLayoutError extends Error {
  override readonly name = 'OtherLayoutError'
  readonly code = 'other-layout'

  constructor({ database }: { database: string }) {
    super(
      `${database} is a copy whose tables were created by another version: use --rebuild to replace the copy`,
    )
  }
}

export class ForeignTableError extends Error {
  override readonly name = 'ForeignTableError'
  readonly code = 'foreign-table'

  constructor({ database, table }: { database: string; table: string }) {
    super(
      `${database} contains a table ${table} that does not belong to a copy: choose another database or schema`,
    )
  }
}

/** Thrown when another follower has changed the copy's cursor. */
export class CopyMovedError extends Error {
  override readonly name = 'CopyMovedError'
  readonly code = 'copy-moved'

  constructor({ database }: { database: string }) {
    super(
      `Another process is changing the copy in ${database}: stop one of the two, because only one process may write to a copy`,
    )
  }
}

export class CopyUnavailableError extends Error {
  override readonly name = 'CopyUnavailableError'
  readonly code = 'copy-unavailable'

  constructor({ database, cause }: { database: string; cause: Error }) {
    super(`${database} is not available: ${reasonOf(cause)}`, { cause })
  }
}

/** Falls back to the code, because the message is empty if connections to several addresses failed. */
const reasonOf = (error: Error & { code?: string }) => error.message || error.code || error.name

/** Thrown if the target is unusable, has an invalid parameter, or is not `sqlite:FILE` or a PostgreSQL URL. */
export class CopyTargetError extends Error {
  override readonly name = 'CopyTargetError'
  readonly code = 'copy-target'

  // The message does not repeat the target, which may contain a password.
  constructor(
    remedy = '--to must be sqlite:FILE or postgres://USER@HOST:PORT/DATABASE',
    options?: ErrorOptions,
  ) {
    super(remedy, options)
  }
}
