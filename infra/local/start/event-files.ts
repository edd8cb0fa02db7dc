import { constants, type PathLike } from 'node:fs'
import { access, readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileProblem } from '../../../lib/kit/file-problem.ts'
import type { StartOptions } from './start-options.ts'

const BUNDLED_DATA = fileURLToPath(new URL('../data', import.meta.url))

/** Throws if a file cannot be read. */
export async function eventFiles({
  events,
  empty,
}: Pick<StartOptions, 'events' | 'empty'>): Promise<string[]> {
  if (empty) return []
  const files = events.length > 0 ? events : await bundledFiles()
  for (const file of files) await checkReadable(file)
  return files
}

async function bundledFiles(): Promise<string[]> {
  return (await readdir(BUNDLED_DATA))
    .filter(name => name.endsWith('.ndjson'))
    .sort()
    .map(name => path.join(BUNDLED_DATA, name))
}

async function checkReadable(file: PathLike) {
  try {
    if (!(await stat(file)).isFile()) throw new Error('it is not a file')
    await access(file, constants.R_OK)
  } catch (error) {
    throw new Error(`Can't read ${file}: ${fileProblem(error as Error)}`, { cause: error })
  }
}

/** The prefix of `source` in the bundled logs from a local chain (infra/local/data/README.md). */
const LOCAL_SOURCE = 'recorded from anvil'

/** Ignores files that are not bundled, because their logs do not name their source. */
export async function localContracts(files: readonly string[]): Promise<string[]> {
  const bundled = files.filter(file => path.dirname(path.resolve(file)) === path.resolve(BUNDLED_DATA))
  const logs = (await Promise.all(bundled.map(file => readFile(file, 'utf8'))))
    .flatMap(text => text.split('\n').filter(Boolean))
    .map(line => JSON.parse(line) as { address: string; source: string })
  const local = logs.filter(({ source }) => source.startsWith(LOCAL_SOURCE))
  return [...new Set(local.map(({ address }) => address.toLowerCase()))].sort()
}

/**
 * The address of the live chain's contract. The first contract that anvil's first account deploys always has this
 * address.
 */
export const LIVE_CONTRACT = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
