import { DatabaseSync } from 'node:sqlite'
import type { Change, ChangePage, EventRecord } from '../../../lib/client/create-events-client.ts'

/** A copy of events, in a database that anything can read which reads SQLite. */
export interface EventCopy {
  /** The cursor to go on with; undefined where nothing was copied yet. */
  cursor(): string | undefined
  /** Applies a page and stores its cursor, both or neither. */
  apply(page: Pick<ChangePage, 'changes' | 'next'>): void
  /** Forgets everything. */
  empty(): void
  count(): number
  /** All records, in the order of their ids. */
  records(): EventRecord[]
  close(): void
}

/** The file is a copy of other events, or of another service. */
class OtherCopyError extends Error {
  override readonly name = 'OtherCopyError'
  readonly code = 'other-copy'

  constructor({ file, source }: { file: string; source: string }) {
    super(`${file} is a copy of ${source}: give another file, or delete it to begin anew`)
  }
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (
    id TEXT PRIMARY KEY,
    event TEXT NOT NULL,
    network TEXT NOT NULL,
    address TEXT NOT NULL,
    blockNumber INTEGER NOT NULL,
    blockHash TEXT NOT NULL,
    transactionHash TEXT NOT NULL,
    logIndex INTEGER NOT NULL,
    createdAt TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS byTime ON events (createdAt, blockNumber, network, logIndex);
  CREATE INDEX IF NOT EXISTS byAddress ON events (address, createdAt);
  CREATE TABLE IF NOT EXISTS feed (source TEXT PRIMARY KEY, cursor TEXT) STRICT;
`

const COLUMNS = [
  'id',
  'event',
  'network',
  'address',
  'blockNumber',
  'blockHash',
  'transactionHash',
  'logIndex',
  'createdAt',
] as const satisfies (keyof EventRecord)[]

/**
 * Opens the copy in a file, or begins one. `source` says of what: the service, and which of its events. Throws
 * `OtherCopyError`, and what SQLite says of a file that is none of its own.
 */
export function openCopy(file: string, source: string): EventCopy {
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000; ${SCHEMA}`)
  const known = database.prepare('SELECT source FROM feed').get()?.source
  if (known !== undefined && known !== source) {
    database.close()
    throw new OtherCopyError({ file, source: String(known) })
  }
  database.prepare('INSERT OR IGNORE INTO feed (source) VALUES (?)').run(source)

  const names = [...COLUMNS, 'record']
  const add = database.prepare(
    `INSERT OR REPLACE INTO events (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  )
  const remove = database.prepare('DELETE FROM events WHERE id = ?')
  const moveTo = database.prepare('UPDATE feed SET cursor = ?')

  function applyChange({ change, record }: Change) {
    if (change === 'removed') remove.run(record.id)
    else add.run(...COLUMNS.map(name => record[name]), JSON.stringify(record))
  }

  /** All of it or nothing, whatever happens to the process meanwhile. */
  function atOnce(work: () => void) {
    database.exec('BEGIN IMMEDIATE')
    try {
      work()
      database.exec('COMMIT')
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
  }

  return {
    cursor: () =>
      (database.prepare('SELECT cursor FROM feed').get()?.cursor ?? undefined) as string | undefined,
    apply: ({ changes, next }) =>
      atOnce(() => {
        for (const change of changes) applyChange(change)
        moveTo.run(next)
      }),
    empty: () => atOnce(() => database.exec('DELETE FROM events; UPDATE feed SET cursor = NULL')),
    count: () => Number(database.prepare('SELECT count(*) AS count FROM events').get()?.count),
    records: () =>
      database
        .prepare('SELECT record FROM events ORDER BY id')
        .all()
        .map(({ record }) => JSON.parse(String(record))),
    close: () => database.close(),
  }
}
