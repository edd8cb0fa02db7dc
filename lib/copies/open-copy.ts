import type { ChangePage, EventRecord } from '../client/create-events-client.ts'
import { applyChanges } from './apply-changes.ts'
import type { CopyDatabase, Turn } from './copy-database.ts'
import { CopyMovedError, ForeignTableError, OtherCopyError, OtherLayoutError } from './copy-errors.ts'
import { CONTENT, FEED, indexesOf, LAYOUT } from './copy-tables.ts'
import { openDatabase } from './open-database.ts'

/** A copy of a service's events, in a database. */
export interface EventCopy {
  /** What messages call its database; without a password. */
  name: string
  /** The cursor to go on with; undefined where nothing was copied yet. */
  cursor(): Promise<string | undefined>
  /**
   * Applies a page and stores its cursor, in one transaction. `after` is the cursor that the page was asked for with.
   * Throws `CopyMovedError` where the copy has another.
   */
  apply(
    page: Pick<ChangePage, 'changes' | 'next' | 'isUpToDate'>,
    options: { after: string | undefined },
  ): Promise<void>
  /** Forgets everything. */
  empty(): Promise<void>
  count(): Promise<number>
  /** All records, in the order of their ids. */
  records(): Promise<EventRecord[]>
  /** Reads what a query without parameters selects, every value as text. */
  read: CopyDatabase['read']
  close(): Promise<void>
}

export interface CopyOptions {
  /** Of what the copy is one: the service, and which of its events. */
  source: string
  /** Make the copy anew, whatever it is a copy of. */
  rebuild?: boolean | undefined
}

/**
 * Opens the copy in `sqlite:FILE` or `postgres://…`, or begins one. Throws `OtherCopyError`, `OtherLayoutError`,
 * `ForeignTableError`, `CopyTargetError`, `CopyUnavailableError`, and what the database says of a refusal of its own.
 */
export async function openCopy(target: string, { source, rebuild = false }: CopyOptions): Promise<EventCopy> {
  const database = openDatabase(target)
  const begin = () => database.transaction(turn => prepareTables(turn, { database, source, rebuild }))
  await begin().catch(async error => {
    await database.close()
    throw error
  })
  let hasIndexes = false

  return {
    name: database.name,
    cursor: async () => (await database.read('SELECT cursor FROM feed'))[0]?.cursor,
    async apply({ changes, next, isUpToDate }, { after }) {
      await database.transaction(async turn => {
        const [feed] = await turn.lock(FEED)
        if (feed?.source !== source || feed.cursor !== after)
          throw new CopyMovedError({ database: database.name })
        await applyChanges(turn, changes)
        // The first fill is several times faster without them.
        if (isUpToDate && !hasIndexes) await createIndexes(turn)
        await turn.put(FEED, [{ source, layout: LAYOUT, cursor: next }])
      })
      hasIndexes ||= isUpToDate
    },
    async empty() {
      await database.transaction(turn => emptyTables(turn, source))
      hasIndexes = false
    },
    count: async () => Number((await database.read('SELECT count(*) AS count FROM events'))[0]?.count),
    records: async () => {
      const rows = await database.read('SELECT id, record FROM events')
      return rows
        .toSorted((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1))
        .map(({ record = '' }) => JSON.parse(record))
    },
    read: database.read,
    close: database.close,
  }
}

interface Wanted {
  database: CopyDatabase
  source: string
  rebuild: boolean
}

async function prepareTables(turn: Turn, { database: { name }, source, rebuild }: Wanted): Promise<void> {
  const columns = await turn.columnsOf(FEED.name)
  const isCopy = columns.includes('source') && columns.includes('cursor')
  if (!isCopy) {
    for (const table of [FEED, ...CONTENT]) {
      const isForeign = (await turn.columnsOf(table.name)).length > 0
      if (isForeign) throw new ForeignTableError({ database: name, table: table.name })
    }
    return createTables(turn, source)
  }
  const [feed] = columns.includes('layout') ? await turn.lock(FEED) : []
  const isOfLayout = feed?.layout === String(LAYOUT)
  if (rebuild && isOfLayout) return emptyTables(turn, source)
  if (rebuild) {
    for (const table of [FEED, ...CONTENT]) await turn.run(`DROP TABLE IF EXISTS ${table.name}`)
    return createTables(turn, source)
  }
  if (!isOfLayout) throw new OtherLayoutError({ database: name })
  if (feed?.source !== source) throw new OtherCopyError({ database: name, source: feed?.source ?? '' })
}

async function createTables(turn: Turn, source: string): Promise<void> {
  for (const table of [FEED, ...CONTENT]) await turn.create(table)
  await turn.put(FEED, [{ source, layout: LAYOUT, cursor: null }])
}

/** Tables stay, so that views of them do. */
async function emptyTables(turn: Turn, source: string): Promise<void> {
  const indexes = CONTENT.flatMap(indexesOf)
  for (const [index] of indexes) await turn.run(`DROP INDEX IF EXISTS ${index}`)
  for (const table of [FEED, ...CONTENT]) await turn.clear(table)
  await turn.put(FEED, [{ source, layout: LAYOUT, cursor: null }])
}

async function createIndexes(turn: Turn): Promise<void> {
  for (const table of CONTENT) {
    for (const [index, columns] of indexesOf(table))
      await turn.run(`CREATE INDEX IF NOT EXISTS ${index} ON ${table.name} (${columns.join(', ')})`)
  }
}
