import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5

/**
 * Creates the folder, and locks it against other local stacks. The lock ends when the returned function is called, or
 * when this process ends. SQLite holds the lock, so the system releases it even after a kill. Throws an error of one
 * line if another stack has locked the folder, or if the folder is not writable.
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
