import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { errorLine, forkPart } from '../../../infra/local/processes/fork-part.ts'
import { freePort } from '../../../infra/local/processes/listen-at.ts'

const ROOT = fileURLToPath(new URL('./ponder', import.meta.url))
const RUN = fileURLToPath(new URL('./run-ponder.ts', import.meta.url))
const POLL_MS = 100

/** A folder for the embedded database (PGlite), or the URL of a PostgreSQL server. */
export type PonderDatabase = { folder: string } | { url: string }

/** `ready` resolves with the seconds from the start until all events were indexed. */
export async function startPonder(
  { rpcUrl, contracts }: { rpcUrl: string; contracts: readonly string[] },
  database: PonderDatabase,
) {
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const part = forkPart(RUN, commandLine(port), {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      ...process.env,
      RPC_URL: rpcUrl,
      CONTRACTS: contracts.join(','),
      ...('url' in database ? { DATABASE_URL: database.url } : { DATABASE_FOLDER: database.folder }),
      PONDER_TELEMETRY_DISABLED: 'true',
    },
  })
  const error = errorLine(part.child)
  const failed = part.ended.then(how => {
    throw new Error(`Ponder ended (${how}) ${error()}`)
  })
  return { baseUrl, ready: Promise.race([untilReady(baseUrl), failed]), stop: part.stop }
}

/** Installs into a separate folder, so that only this benchmark needs Ponder. */
export async function installPonder(): Promise<void> {
  if (existsSync(path.join(ROOT, 'node_modules', '.package-lock.json'))) return
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await promisify(execFile)('npm', ['ci', ...quietly], { cwd: ROOT })
}

const commandLine = (port: number) => [
  ...['start', '--port', String(port), '--hostname', '127.0.0.1', '--schema', 'events'],
  ...['--log-level', 'warn'],
]

async function untilReady(baseUrl: string): Promise<number> {
  const startedAt = performance.now()
  const isReady = () =>
    fetch(`${baseUrl}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) await delay(POLL_MS)
  return (performance.now() - startedAt) / 1000
}
