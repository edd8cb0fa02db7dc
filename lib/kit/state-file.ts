import { accessSync, constants, existsSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type * as z from 'zod/mini'
import { fileProblem } from './file-problem.ts'
import { parseJson } from './parse-json.ts'
import { resultCode, SQLITE_BUSY, SQLITE_CORRUPT, SQLITE_NOT_A_DATABASE } from './sqlite-errors.ts'

export interface StateFile<State> {
  /** Whether the file contains a state, even a state that another version wrote. */
  exists(): boolean
  /** Returns undefined if there is no state yet. Throws a one-line error for a damaged or unknown state. */
  read(): State | undefined
  /**
   * Returns after the whole state is written to disk. If the write fails, for example because the disk is full, throws
   * a one-line error, and the file still has the earlier state.
   */
  write(state: State): void
  remove(): void
  close(): void
}

export interface StateKind<State> {
  /** The name of the SQLite table in the file. */
  name: string
  schema: z.ZodMiniType<State>
  option: string
  /** What the user can do if the state is damaged, or if another version wrote it. */
  remedy: string
}

/** SQLite writes each state atomically, and locks the file. Throws a one-line error if the file is already locked. */
export function openStateFile<State>(file: string, kind: StateKind<State>): StateFile<State> {
  const { name, schema, remedy } = kind
  function explained<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw new Error(explain(error as Error, file, kind), { cause: error })
    }
  }
  const database = explained(() => openDatabase(file, kind))
  const stateRow = () => explained(() => database.prepare(`SELECT state FROM ${name}`).get())
  return {
    exists: () => stateRow() !== undefined,
    read() {
      const row = stateRow()
      if (!row) return undefined
      const { data } = schema.safeParse(parseJson(String(row.state)))
      if (!data) throw new Error(`${file} is damaged, or was written by another version: ${remedy}`)
      return data
    },
    write(state) {
      const statement = `INSERT OR REPLACE INTO ${name} VALUES (1, ?)`
      explained(() => database.prepare(statement).run(JSON.stringify(state)))
    },
    remove() {
      // The file is deleted before its lock is released, so that no other run opens a file that is about to be deleted.
      rmSync(file)
      database.close()
    },
    close() {
      if (database.isOpen) database.close()
    },
  }
}

type KindOfFile = Pick<StateKind<unknown>, 'name' | 'option'>

function openDatabase(file: string, kind: KindOfFile): DatabaseSync {
  const { name } = kind
  const database = new DatabaseSync(file, { timeout: 0 })
  // In exclusive locking mode, SQLite keeps the lock after the first write.
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; BEGIN IMMEDIATE')
  const tables = database.prepare('SELECT name FROM sqlite_schema').all()
  if (!tables.every(table => table.name === name)) {
    database.close()
    throw new Error(noState(file, kind))
  }
  database.exec(
    `CREATE TABLE IF NOT EXISTS ${name} (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL)`,
  )
  database.exec('COMMIT')
  return database
}

const noState = (file: string, { name, option }: KindOfFile) =>
  `${file} is not the state file of ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}; choose another name for ${option}`

function explain(error: Error, file: string, kind: KindOfFile): string {
  const code = resultCode(error)
  if (code === 0) return error.message
  if (code === SQLITE_BUSY)
    return `${file} is in use by another ${kind.name}; stop it, wait until it ends, or choose another name for ${kind.option}`
  if (code === SQLITE_NOT_A_DATABASE) return noState(file, kind)
  if (code === SQLITE_CORRUPT) return `${file} is damaged; choose another name for ${kind.option}`
  return `Can't write ${file}: ${error.message}`
}

/** Throws a one-line error if an output file cannot be created, because SQLite's error does not say why. */
export function checkFolderOf(file: string): void {
  if (/^(:memory:|file:.*)$/.test(file))
    throw new Error(
      `Can't write ${file}: SQLite does not treat this name as the name of a file; choose another name`,
    )
  const folder = path.dirname(file)
  if (!existsSync(folder))
    throw new Error(`Can't write ${file}: there is no folder ${folder}; create it first`)
  try {
    // The separator makes this call fail if the folder is a file.
    if (!existsSync(file)) accessSync(folder + path.sep, constants.W_OK)
  } catch (cause) {
    throw new Error(`Can't write to the folder ${folder}: ${fileProblem(cause as Error)}`, { cause })
  }
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`Can't write ${file}: it is a folder, not a file; choose another name`)
}
