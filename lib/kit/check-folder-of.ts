import { existsSync } from 'node:fs'
import path from 'node:path'

/** Throws a one-line error if the folder of an output file is missing. SQLite's error does not say so. */
export function checkFolderOf(file: string): void {
  const folder = path.dirname(file)
  if (!existsSync(folder)) throw new Error(`Can't write ${file}: there is no folder ${folder}; make it first`)
}
