import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

/**
 * Returns the version of the service in a folder, with the date and the name of the commit as build metadata of Semantic
 * Versioning: `1.0.0+2026-11-23.d5607bda8de6`, and `.modified` if tracked files differ from the commit. Without git, the
 * version says so: `1.0.0+without-git`. What is not deployed has no metadata.
 */
export async function findVersion(folder: string, { isDeployed }: { isDeployed: boolean }): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
  if (!isDeployed) return version
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', args, { cwd: folder })).stdout.trim()
  try {
    const commit = await git('log', '-1', '--abbrev=12', '--format=%cs.%h')
    const changes = await git('status', '--porcelain', '--untracked-files=no')
    return `${version}+${commit}${changes === '' ? '' : '.modified'}`
  } catch {
    return `${version}+without-git`
  }
}
