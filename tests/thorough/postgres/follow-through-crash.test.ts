import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { openCopy, openDatabase } from '../../../lib/callers/copies/open-copy.ts'
import { compareByTime, placeOf } from '../../../lib/events/place.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { findPostgres } from '../../bench/peer/start-postgres.ts'
import { usePostgres } from '../../support/copies/use-postgres.ts'
import { listenForChanges } from '../../support/http/listen.ts'
import { startCommand } from '../../support/programs/run-command.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { byId } from '../../support/records/by-id.ts'
import { until } from '../../support/runner/until.ts'
import { useEngine } from '../../support/store/engine.ts'

const newSchema = usePostgres()
const engine = useEngine()

/** Kills the server process of a client as the kernel would. PostgreSQL then ends all sessions and recovers. */
async function crash(url: string): Promise<void> {
  const psql = path.join(await findPostgres(), 'psql')
  const { stdout } = await promisify(execFile)(psql, [
    url.split('?')[0] ?? '',
    '-tAc',
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1",
  ])
  const session = Number(stdout)
  expect(session).toBeGreaterThan(0)
  process.kill(session, 'SIGKILL')
}

test('a follower goes on after its PostgreSQL has crashed and recovered', async () => {
  const records = eventSetOf({ blocks: 6, events: 3 }, 9).sort((a, b) =>
    compareByTime(placeOf(a), placeOf(b)),
  )
  const [first, second] = [records.slice(0, 9), records.slice(9)]
  const tableName = await engine.createEventsTable()
  const table = { client: engine.client, tableName }
  await writeEvents(table, first)
  const service = await listenForChanges({ client: engine.reader, tableName })
  const target = await newSchema()
  const follower = startCommand('follow', [service.baseUrl, '--to', target])
  const ended = follower.ended.then(({ code, errors }) => {
    throw new Error(`The follower ended with exit code ${code}: ${errors}`)
  })
  const database = openDatabase(target)
  // The table does not exist at first, and the server is unreachable while it recovers.
  const countOfCopied = async () => (await database.read('SELECT id FROM events').catch(() => [])).length
  const untilCopied = (count: number) =>
    Promise.race([until(async () => (await countOfCopied()) === count), ended])
  try {
    await untilCopied(first.length)
    await crash(target)
    await writeEvents(table, second)
    await untilCopied(records.length)
    const copy = await openCopy(target, { source: service.baseUrl })
    expect(await copy.records()).toEqual(byId(records))
    await copy.close()
  } finally {
    follower.child.kill('SIGTERM')
    await Promise.all([database.close(), service.stop()])
  }
  expect(await follower.ended).toMatchObject({ code: 143 })
})
