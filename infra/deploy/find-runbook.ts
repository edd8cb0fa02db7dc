import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const PAGE = 'infra/runbook.md'

/**
 * Returns the web address of the runbook in the folder's repository, as git's remote `origin` gives it. Without a
 * usable remote, returns the path of the runbook's file.
 */
export async function findRunbook(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['remote', 'get-url', 'origin'], { cwd: folder }).catch(
    () => ({ stdout: '' }),
  )
  return runbookAt(stdout.trim()) ?? PAGE
}

/**
 * Returns the runbook's web address, in the URL format of GitHub and GitLab. Omits the user name and password of the
 * remote. Returns undefined if the remote is not a URL of a known form.
 */
export function runbookAt(remote: string): string | undefined {
  const [, host, path] =
    /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^:/]+)(?::\d+)?\/(.+?)(?:\.git)?\/?$/.exec(remote) ??
    /^(?:[^@/]*@)?([^:/]+):(?!\/)(.+?)(?:\.git)?\/?$/.exec(remote) ??
    []
  return host && path ? `https://${host}/${path}/blob/HEAD/${PAGE}` : undefined
}
