import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { BUNDLED_DATA } from './event-files.ts'

/** The beginning of `source` in those bundled logs that come from a local chain (infra/local/data/README.md). */
const LOCAL_SOURCE = 'recorded from anvil'

interface BundledLog {
  address: string
  source: string
}

/**
 * Returns the contracts of those bundled logs that come from a local chain. Ignores files that are not bundled, because
 * their logs do not say where they come from.
 */
export async function localContracts(files: readonly string[]): Promise<string[]> {
  const bundled = files.filter(file => path.dirname(path.resolve(file)) === path.resolve(BUNDLED_DATA))
  const texts = await Promise.all(bundled.map(file => readFile(file, 'utf8')))
  const logs = texts
    .flatMap(text => text.split('\n').filter(Boolean))
    .map(line => JSON.parse(line) as BundledLog)
  const local = logs.filter(({ source }) => source.startsWith(LOCAL_SOURCE))
  return [...new Set(local.map(({ address }) => address.toLowerCase()))].sort()
}
