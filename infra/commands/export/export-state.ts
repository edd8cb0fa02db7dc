import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { countSchema } from '../../../lib/events/field-schemas.ts'

const exportStateSchema = z.object({
  request: z.string(),
  /** Where to go on; undefined at the beginning, and when it is complete. */
  cursor: z.optional(z.string()),
  /** How much of the part is good. */
  bytes: countSchema,
  /** How many records that is. */
  records: countSchema,
  isComplete: z.boolean(),
  /** How many there are. */
  total: z.optional(countSchema),
  /** In its place, where not all were counted: so many, and perhaps more. */
  totalAtLeast: z.optional(countSchema),
})

export type ExportState = z.infer<typeof exportStateSchema>

export interface StoredState {
  /** Whether a state has been written, by whatever version. */
  exists(): boolean
  /** Undefined where nothing has been written. Throws with one line where another version has written it. */
  read(): ExportState | undefined
  /** Once it returns the state is on disk, as a whole. */
  write(state: ExportState): void
  remove(): void
  close(): void
}

const SQLITE_BUSY = 5
const SQLITE_NOT_A_DATABASE = 26

/**
 * Where an export keeps how far it is. SQLite writes it whole or not at all, whatever happens meanwhile, and keeps others
 * out until it is closed, or this process ends. Throws with one line when another export holds it.
 */
export function openExportState(file: string): StoredState {
  const database = openDatabase(file)
  const stateRow = () => database.prepare('SELECT state FROM export').get()
  return {
    exists: () => stateRow() !== undefined,
    read() {
      const row = stateRow()
      if (!row) return undefined
      const { data } = exportStateSchema.safeParse(JSON.parse(String(row.state)))
      if (!data) throw new Error(`${file} was written by another version: begin anew with --restart`)
      return data
    },
    write(state) {
      database.prepare('INSERT OR REPLACE INTO export VALUES (1, ?)').run(JSON.stringify(state))
    },
    remove() {
      // Before it is unlocked: another run must not open what is about to go.
      rmSync(file)
      database.close()
    },
    close() {
      if (database.isOpen) database.close()
    },
  }
}

function openDatabase(file: string): DatabaseSync {
  try {
    const database = new DatabaseSync(file, { timeout: 0 })
    // The lock of the first writing is then kept.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; BEGIN IMMEDIATE')
    const tables = database.prepare('SELECT name FROM sqlite_schema').all()
    if (tables.every(({ name }) => name === 'export')) {
      database.exec(
        'CREATE TABLE IF NOT EXISTS export (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL)',
      )
      database.exec('COMMIT')
      return database
    }
    database.close()
  } catch (error) {
    throw new Error(reasonOf(error as Error & { errcode?: number }, file), { cause: error })
  }
  throw new Error(noState(file))
}

const noState = (file: string) => `${file} is no state of an export; choose another name for --out`

function reasonOf({ errcode, message }: Error & { errcode?: number }, file: string): string {
  if (errcode === SQLITE_BUSY) return `${file} is in use: another export is writing there`
  if (errcode === SQLITE_NOT_A_DATABASE) return noState(file)
  return `Can't write ${file}: ${message}`
}
