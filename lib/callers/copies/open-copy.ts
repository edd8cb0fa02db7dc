import { existsSync } from 'node:fs'
import type { ChangePage, EventRecord } from '../../client/create-events-client.ts'
import { hasSlashInPassword } from '../../kit/parse-options.ts'
import { withoutPasswords } from '../../kit/printable.ts'
import { applyChanges } from './apply-changes.ts'
import { type CopyDatabase, CopyUnavailableError, type SqlTransaction } from './copy-database.ts'
import { CONTENT, FEED, indexesOf, LAYOUT } from './copy-tables.ts'
import { openPostgres } from './open-postgres.ts'
import { openSqlite } from './open-sqlite.ts'

export interface EventCopy {
  name: string
  /** Undefined if nothing has been copied yet. */
  cursor(): Promise<string | undefined>
  /**
   * Stores the changes and `next` in one transaction. Throws if the copy's cursor is not `after`. If the copy has gone
   * back to an earlier cursor, as after a failover, the error is `CopyUnavailableError`.
   */
  apply(
    page: Pick<ChangePage, 'changes' | 'next' | 'isUpToDate'>,
    options: { after: string | undefined },
  ): Promise<void>
  /** Deletes all rows and the cursor. Throws if the database now contains a copy of another source. */
  empty(): Promise<void>
  /** The number of events. Must not be called while `apply` or `empty` runs. */
  count(): Promise<number>
  /** Sorted by id. */
  records(): Promise<EventRecord[]>
  /** Runs a query without parameters. All values are returned as text. */
  read: CopyDatabase['read']
  close(): Promise<void>
}

export interface CopyOptions {
  /** Identifies the service and the scope of the copied events. */
  source: string
  /** Whether to rebuild the copy, even if the database contains a copy of another source. */
  rebuild?: boolean | undefined
  /** Awaited before a copy is created or rebuilt. If the function throws an error, the copy stays unchanged. */
  beforeChange?: () => Promise<unknown>
}

/**
 * Opens the copy at `sqlite:FILE` or `postgres://…`, or creates a new one. Throws `CopyUnavailableError` and other
 * database errors. If the target cannot be used for this source, throws an error that says what to do.
 */
export async function openCopy(target: string, options: CopyOptions): Promise<EventCopy> {
  const { source, rebuild = false, beforeChange = async () => undefined } = options
  const file = fileOf(target)
  // Opening an SQLite database creates its file, so `beforeChange` must run first.
  const isNew = file !== undefined && !existsSync(file)
  if (isNew) await beforeChange()
  const database = openDatabase(target)
  const prepare = (mayChange: boolean) =>
    database.transaction(transaction => prepareTables(transaction, { database, source, rebuild, mayChange }))
  try {
    // Until `beforeChange` has run, a transaction only checks the tables, so that nothing is locked while
    // `beforeChange` waits.
    if (!(await prepare(isNew))) {
      await beforeChange()
      await prepare(true)
    }
    database.startWriting?.()
  } catch (error) {
    await database.close()
    throw error
  }
  let hasIndexes = false
  /** The last cursors that this process has read or stored. */
  const cursors: (string | undefined)[] = []
  function note(cursor: string | undefined) {
    cursors.push(cursor)
    if (cursors.length > MANY_CURSORS) cursors.shift()
  }
  // Databases count rows slowly, so the events are counted once, and again only after a change that may have failed.
  let events: number | undefined

  return {
    name: database.name,
    async cursor() {
      // The lock is granted only after the server has ended any earlier transaction that has lost its connection.
      const [feed] = await database.transaction(transaction => transaction.lock(FEED))
      note(feed?.cursor)
      // Makes `apply` check the indexes again, because a failover may have lost the transaction that created them.
      hasIndexes = false
      return feed?.cursor
    },
    async apply({ changes, next, isUpToDate }, { after }) {
      const before = events
      events = undefined
      const added = await database.transaction(async transaction => {
        const [feed] = await transaction.lock(FEED)
        if (feed?.source !== source) throw movedIn(database)
        if (feed.cursor !== after)
          throw cursors.includes(feed.cursor) ? wentBack(database) : movedIn(database)
        const more = await applyChanges(transaction, changes)
        // Creates the indexes last, because filling the tables is several times faster without indexes.
        if (isUpToDate && !hasIndexes) await createIndexes(transaction)
        await transaction.put(FEED, [{ source, layout: LAYOUT, cursor: next }])
        return more
      })
      if (before !== undefined) events = before + added
      hasIndexes ||= isUpToDate
      note(next)
    },
    async empty() {
      events = undefined
      await database.transaction(async transaction => {
        await transaction.lockTables()
        const [feed] = await transaction.lock(FEED)
        if (feed?.source !== source) throw movedIn(database)
        await emptyTables(transaction, source)
      })
      hasIndexes = false
    },
    async count() {
      events ??= Number((await database.read('SELECT count(*) AS count FROM events'))[0]?.count)
      return events
    },
    records: async () => {
      return (await database.read('SELECT id, record FROM events'))
        .toSorted((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1))
        .map(({ record = '' }) => JSON.parse(record))
    },
    read: database.read,
    close: database.close,
  }
}

/** The number of cursors to keep: far more than the pages that a replica can lack when it takes over. */
const MANY_CURSORS = 1000

const wentBack = ({ name }: CopyDatabase) =>
  new CopyUnavailableError({
    database: name,
    cause: new Error(
      'it lacks the newest pages of changes, probably because a replica without these pages took over',
    ),
  })

const movedIn = ({ name }: CopyDatabase) =>
  new Error(
    `Another process is changing the copy in ${name}: stop one of the two processes, because only one process may write to a copy`,
  )

const SQLITE = 'sqlite:'

/** Undefined for any target other than `sqlite:FILE`. */
export const fileOf = (target: string): string | undefined =>
  target.startsWith(SQLITE) && target.length > SQLITE.length ? target.slice(SQLITE.length) : undefined

/** Throws an error without the target, which may contain a password. */
export function openDatabase(target: string): CopyDatabase {
  const file = fileOf(target)
  if (file !== undefined) return openSqlite(file)
  if (hasSlashInPassword(target)) throw new Error('A slash in the password of --to must be written as %2F')
  if (!/^postgres(ql)?:\/\//.test(target) || !URL.canParse(target))
    throw new Error('--to must be sqlite:FILE or postgres://USER@HOST:PORT/DATABASE')
  return openPostgres(target)
}

interface Wanted {
  database: CopyDatabase
  source: string
  rebuild: boolean
  mayChange: boolean
}

/** Returns false if the tables must be created or emptied, but `mayChange` is false. */
async function prepareTables(
  transaction: SqlTransaction,
  { database: { name }, source, rebuild, mayChange }: Wanted,
): Promise<boolean> {
  await transaction.lockTables()
  const columns = await transaction.columnsOf(FEED.name)
  const isCopy = columns.includes('source') && columns.includes('cursor')
  if (!isCopy) {
    for (const table of [FEED, ...CONTENT]) {
      const isForeign = (await transaction.columnsOf(table.name)).length > 0
      if (isForeign)
        throw new Error(
          `${name} contains the table "${table.name}", which does not belong to a copy: choose another database or schema`,
        )
    }
    if (mayChange) await createTables(transaction, source)
    return mayChange
  }
  const [feed] = columns.includes('layout') ? await transaction.lock(FEED) : []
  const isOfLayout = feed?.layout === String(LAYOUT)
  if (rebuild) {
    if (mayChange) await (isOfLayout ? emptyTables : replaceTables)(transaction, source)
    return mayChange
  }
  if (!isOfLayout)
    throw new Error(
      `${name} is a copy whose tables were created by another version: use --rebuild to replace the copy`,
    )
  if (feed?.source !== source) {
    // The message omits passwords, because a copy that an earlier version wrote may contain the password from the
    // service's URL.
    throw new Error(
      `${name} is a copy of ${withoutPasswords(feed?.source ?? '')}: choose another database, or use --rebuild to replace the copy`,
    )
  }
  await transaction.mendCopy()
  return true
}

async function replaceTables(transaction: SqlTransaction, source: string): Promise<void> {
  for (const table of [FEED, ...CONTENT]) await transaction.run(`DROP TABLE IF EXISTS ${table.name}`)
  await createTables(transaction, source)
}

async function createTables(transaction: SqlTransaction, source: string): Promise<void> {
  for (const table of [FEED, ...CONTENT]) await transaction.create(table)
  await transaction.put(FEED, [{ source, layout: LAYOUT, cursor: null }])
}

/** Empties the tables instead of dropping them, so that views on them survive. Also creates missing tables. */
async function emptyTables(transaction: SqlTransaction, source: string): Promise<void> {
  for (const [index] of CONTENT.flatMap(indexesOf)) await transaction.run(`DROP INDEX IF EXISTS ${index}`)
  for (const table of [FEED, ...CONTENT]) {
    await transaction.create(table)
    await transaction.clear(table)
  }
  await transaction.put(FEED, [{ source, layout: LAYOUT, cursor: null }])
}

async function createIndexes(transaction: SqlTransaction): Promise<void> {
  for (const table of CONTENT) {
    for (const [index, columns] of indexesOf(table))
      await transaction.run(`CREATE INDEX IF NOT EXISTS ${index} ON ${table.name} (${columns.join(', ')})`)
  }
}
