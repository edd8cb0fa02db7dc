import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const PAGE = 'infra/runbook.md'

const git = async (folder: string, ...args: string[]) =>
  (await promisify(execFile)('git', args, { cwd: folder })).stdout.trim()

/**
 * Returns the version of the service in a folder. For a deployment, the version has build metadata (Semantic
 * Versioning): the date and the hash of the commit, as in `1.0.0+2026-11-23.d5607bda8de6`. If tracked files differ from
 * the commit, `.modified` follows. Without git, the version is `1.0.0+without-git`.
 */
export async function findVersion(folder: string, { isDeployed }: { isDeployed: boolean }): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
  if (!isDeployed) return version
  try {
    const commit = await git(folder, 'log', '-1', '--abbrev=12', '--format=%cs.%h')
    const changes = await git(folder, 'status', '--porcelain', '--untracked-files=no')
    return `${version}+${commit}${changes === '' ? '' : '.modified'}`
  } catch {
    return `${version}+without-git`
  }
}

/** Derives the runbook's URL from git's remote `origin`. Without a usable remote, resolves with the runbook's path. */
export async function findRunbook(folder: string): Promise<string> {
  return runbookAt(await git(folder, 'remote', 'get-url', 'origin').catch(() => '')) ?? PAGE
}

/** Returns the runbook's URL on GitHub or GitLab, without credentials. Undefined for a `remote` of unknown form. */
export function runbookAt(remote: string): string | undefined {
  const [, host, path] =
    /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^:/]+)(?::\d+)?\/(.+?)(?:\.git)?\/?$/.exec(remote) ??
    /^(?:[^@/]*@)?([^:/]+):(?!\/)(.+?)(?:\.git)?\/?$/.exec(remote) ??
    []
  return host && path ? `https://${host}/${path}/blob/HEAD/${PAGE}` : undefined
}
