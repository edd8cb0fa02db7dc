import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5

/**
 * Creates the folder, and locks it against other local stacks until the returned function is called or this process
 * ends. SQLite holds the lock, so the operating system releases it even if the process is killed. Throws a one-line
 * error if another stack has locked the folder, or if the folder is not writable.
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
