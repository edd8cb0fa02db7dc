import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5

/**
 * Makes the folder and keeps other local stacks out of it until the function that it returns is called,
 * or this process ends: the lock is SQLite's, so the system lets go of it however that happens. Throws
 * with one line when another stack holds it, or when the folder can't be written.
 */
export function lockFolder(folder: string): () => void {
  try {
    mkdirSync(folder, { recursive: true })
    const lock = new DatabaseSync(path.join(folder, 'lock'), { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
    return () => lock.close()
  } catch (error) {
    const { errcode, message } = error as Error & { errcode?: number }
    const reason =
      errcode === SQLITE_BUSY
        ? `${folder} is in use by another local stack; choose another --port or --data-dir`
        : `Can't keep data in ${folder}: ${message}; choose another folder with --data-dir`
    throw new Error(reason, { cause: error })
  }
}
