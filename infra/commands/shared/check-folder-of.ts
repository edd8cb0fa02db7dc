import { existsSync } from 'node:fs'
import path from 'node:path'

/** Throws with one line when the folder is not there that a file is to be written into; SQLite does not say so. */
export function checkFolderOf(file: string): void {
  const folder = path.dirname(file)
  if (!existsSync(folder)) throw new Error(`Can't write ${file}: there is no folder ${folder}; make it first`)
}
