/**
 * The process that `startPostgres` starts: makes a cluster in a folder, serves it as its owner until the parent is gone,
 * and tells once connections are accepted. Takes the folder of PostgreSQL's programs, the cluster's and the port.
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
/** PostgreSQL refuses to be root. */
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
// A fast shutdown, which waits for no connection.
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
