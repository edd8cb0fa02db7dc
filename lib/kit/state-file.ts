import { accessSync, constants, existsSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type * as z from 'zod/mini'
import { fileProblem } from './file-problem.ts'

export interface StateFile<State> {
  /** Whether the file contains a state, even one that another version wrote. */
  exists(): boolean
  /** Returns undefined if there is no state yet. Throws a one-line error if another version wrote the state. */
  read(): State | undefined
  /** Returns after the whole state is written to disk. */
  write(state: State): void
  remove(): void
  close(): void
}

export interface StateKind<State> {
  /** The name of the SQLite table in the file. */
  name: string
  schema: z.ZodMiniType<State>
  option: string
  /** What the user can do if another version wrote the file. */
  remedy: string
}

const SQLITE_BUSY = 5
const SQLITE_NOT_A_DATABASE = 26

/** SQLite writes each state atomically, and locks the file. Throws a one-line error if it is already locked. */
export function openStateFile<State>(file: string, kind: StateKind<State>): StateFile<State> {
  const { name, schema, remedy } = kind
  const database = openDatabase(file, kind)
  const stateRow = () => database.prepare(`SELECT state FROM ${name}`).get()
  return {
    exists: () => stateRow() !== undefined,
    read() {
      const row = stateRow()
      if (!row) return undefined
      const { data } = schema.safeParse(JSON.parse(String(row.state)))
      if (!data) throw new Error(`${file} was written by another version: ${remedy}`)
      return data
    },
    write(state) {
      database.prepare(`INSERT OR REPLACE INTO ${name} VALUES (1, ?)`).run(JSON.stringify(state))
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
  try {
    const database = new DatabaseSync(file, { timeout: 0 })
    // In exclusive locking mode, SQLite keeps the lock after the first write.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; BEGIN IMMEDIATE')
    const tables = database.prepare('SELECT name FROM sqlite_schema').all()
    if (tables.every(table => table.name === name)) {
      database.exec(
        `CREATE TABLE IF NOT EXISTS ${name} (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL)`,
      )
      database.exec('COMMIT')
      return database
    }
    database.close()
  } catch (error) {
    throw new Error(reasonOf(error as Error & { errcode?: number }, file, kind), { cause: error })
  }
  throw new Error(noState(file, kind))
}

const noState = (file: string, { name, option }: KindOfFile) =>
  `${file} is not the state of ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}; choose another name for ${option}`

function reasonOf({ errcode, message }: Error & { errcode?: number }, file: string, kind: KindOfFile) {
  if (errcode === SQLITE_BUSY) return `${file} is in use: another ${kind.name} is writing to it`
  if (errcode === SQLITE_NOT_A_DATABASE) return noState(file, kind)
  return `Can't write ${file}: ${message}`
}

/** Throws a one-line error if an output file cannot be created, because SQLite's error does not say why. */
export function checkFolderOf(file: string): void {
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
    throw new Error(`Can't write ${file}: it is a folder, not a file`)
}
