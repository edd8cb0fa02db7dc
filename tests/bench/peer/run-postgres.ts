/**
 * The process that `startPostgres` starts. The process creates a cluster in a folder and runs the cluster as the
 * folder's owner until the parent process ends. The process sends `ready` to the parent when the cluster accepts
 * connections. The arguments are the folder of PostgreSQL's programs, the folder of the cluster, and the port.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { argv, exit } from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const [, , programs = '', cluster = '', port = ''] = argv
const POLL_MS = 50
/** Runs as the folder's owner, because PostgreSQL rejects root. */
const { uid, gid } = await stat(cluster)
const run = promisify(execFile)
const program = (name: string) => path.join(programs, name)

await run(
  program('initdb'),
  ['--pgdata', cluster, '--username', 'ponder', '--auth', 'trust', '--encoding', 'UTF8', '--no-locale'],
  { uid, gid, cwd: cluster },
)
const server = spawn(
  program('postgres'),
  ['-D', cluster, '-p', port, '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
  { uid, gid, cwd: cluster, stdio: ['ignore', 'ignore', 'inherit'] },
)
const ended = once(server, 'exit')
// SIGINT is PostgreSQL's fast shutdown: the server ends all connections instead of waiting for them.
process.once('disconnect', () => server.kill('SIGINT'))
void ended.then(() => exit(process.connected ? 1 : 0))
while (!(await isReady())) await delay(POLL_MS)
process.send?.('ready')

function isReady() {
  return run(program('pg_isready'), ['-h', '127.0.0.1', '-p', port]).then(
    () => true,
    () => false,
  )
}
