import { constants, type PathLike } from 'node:fs'
import { access, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { StartOptions } from './start-options.ts'

export const BUNDLED_DATA = fileURLToPath(new URL('../data', import.meta.url))

/** The files to load: the user's files, none, or all files of the repository. Throws if one cannot be read. */
export async function eventFiles({
  events: named,
  empty,
}: Pick<StartOptions, 'events' | 'empty'>): Promise<string[]> {
  if (empty) return []
  const files = named.length > 0 ? named : await bundledFiles()
  for (const file of files) await checkReadable(file)
  return files
}

async function bundledFiles(): Promise<string[]> {
  const names = await readdir(BUNDLED_DATA)
  return names
    .filter(name => name.endsWith('.ndjson'))
    .sort()
    .map(name => path.join(BUNDLED_DATA, name))
}

async function checkReadable(file: PathLike) {
  try {
    if (!(await stat(file)).isFile()) throw new Error('not a file')
    await access(file, constants.R_OK)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Error(`Can't read ${file}: ${code === 'ENOENT' ? 'no such file' : message}`, { cause: error })
  }
}
