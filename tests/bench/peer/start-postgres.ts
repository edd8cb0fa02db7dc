import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getuid } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { errorLine, forkPart } from '../../../infra/local/processes/fork-part.ts'
import { freePort } from '../../../infra/local/processes/listen-at.ts'

const RUN = fileURLToPath(new URL('./run-postgres.ts', import.meta.url))
const DEBIAN = '/usr/lib/postgresql'
/** Debian's package creates this user for its servers. */
const SERVER_USER = 'postgres'

/** Returns the newest installed server's programs. If there is none, the error lists the packages to install. */
export async function findPostgres(): Promise<string> {
  const versions = await readdir(DEBIAN).catch(() => [])
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a))
  const folders = [
    ...newestFirst.map(version => path.join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(path.delimiter),
  ]
  const found = folders.find(folder => existsSync(path.join(folder, 'initdb')))
  if (!found) throw new Error('PostgreSQL is not installed: run apt-get install postgresql')
  return found
}

/** The server has default settings and an empty database. `stop` also removes the server's folder. */
export async function startPostgres(programs: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-postgres-'))
  if (getuid?.() === 0) await giveTo(SERVER_USER, folder)
  const port = String(await freePort())
  const part = forkPart(RUN, [programs, folder, port], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const error = errorLine(part.child)
  await part.message().catch(async () => {
    throw new Error(`PostgreSQL did not start (${await part.ended}) ${error()}`)
  })
  const url = `postgres://ponder@127.0.0.1:${port}/postgres`
  return {
    url,
    /** Collects statistics for the planner, as autovacuum does on a production server. */
    async gatherStatistics() {
      const command = ['--dbname', url, '--command', 'VACUUM (ANALYZE)']
      await promisify(execFile)(path.join(programs, 'psql'), command)
    },
    async stop() {
      await part.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function giveTo(user: string, folder: string) {
  const idOf = async (flag: string) => Number((await promisify(execFile)('id', [flag, user])).stdout)
  await chown(folder, await idOf('-u'), await idOf('-g'))
}
