import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileProblem } from './file-problem.ts'
import { resultCode, SQLITE_BUSY } from './sqlite-errors.ts'

interface FolderLock {
  name: string
  /** Describes the other program that may hold the lock, such as `another local stack`. */
  holder: string
  /** The options that choose another folder, such as `--out`. */
  options: string
}

/**
 * Creates the folder, and locks it against other processes until the returned function is called or this process ends.
 * SQLite holds the lock, so the operating system releases it even if the process is killed. Throws a one-line error if
 * another process has locked the folder, or if the folder is not writable.
 */
export function lockFolder(folder: string, { name, holder, options }: FolderLock): () => void {
  try {
    mkdirSync(folder, { recursive: true })
    const lock = new DatabaseSync(path.join(folder, name), { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
    return () => lock.close()
  } catch (error) {
    const reason =
      resultCode(error) === SQLITE_BUSY
        ? `${folder} is in use by ${holder}; choose another ${options}`
        : `Can't keep data in ${folder}: ${fileProblem(error as Error)}; choose another ${options}`
    throw new Error(reason, { cause: error })
  }
}
