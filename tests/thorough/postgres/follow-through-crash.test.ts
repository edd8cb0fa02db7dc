import { execFile } from 'node:child_process'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openCopy } from '../../../lib/copies/open-copy.ts'
import { compareByTime, placeOf } from '../../../lib/events/place.ts'
import { writeEvents } from '../../../lib/store/write-events.ts'
import { findPostgres } from '../../bench/peer/start-postgres.ts'
import { byId } from '../../support/changes/stored-events.ts'
import { usePostgres } from '../../support/copies/use-postgres.ts'
import { listenForChanges } from '../../support/http/listen.ts'
import { startCommand } from '../../support/programs/run-command.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { until } from '../../support/runner/until.ts'
import { useEngine } from '../../support/store/engine.ts'

const newSchema = usePostgres()
const engine = useEngine()

const LEFT_AFTER_MS = 20_000

/** Kills the server process of every client as the kernel would. PostgreSQL then ends all sessions and recovers. */
async function crash(url: string): Promise<void> {
  const psql = path.join(await findPostgres(), 'psql')
  const { stdout } = await promisify(execFile)(psql, [
    url.split('?')[0] ?? '',
    '-tAc',
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
  ])
  const sessions = stdout.trim().split('\n').map(Number)
  expect(sessions[0]).toBeGreaterThan(0)
  for (const pid of sessions) process.kill(pid, 'SIGKILL')
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
  const copied = async () => {
    const copy = await openCopy(target, { source: service.baseUrl })
    const found = await copy.records()
    await copy.close()
    return found
  }
  // A connection that is opened while the server crashes may never answer. It is left alone, and another one is opened.
  const copiedOrNothing = () =>
    Promise.race([copied().catch(() => []), setTimeout(LEFT_AFTER_MS, [], { ref: false })])
  const untilCopied = (count: number) => until(async () => (await copiedOrNothing()).length === count)
  const follower = startCommand('follow', [service.baseUrl, '--to', target])
  try {
    await untilCopied(first.length)
    await crash(target)
    await writeEvents(table, second)
    await untilCopied(records.length)
    expect(await copied()).toEqual(byId(records))
  } finally {
    follower.child.kill('SIGTERM')
    await service.stop()
  }
  expect(await follower.ended).toMatchObject({ code: 143 })
})
