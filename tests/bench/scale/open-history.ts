import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { forkPart } from '../../../infra/local/processes/fork-part.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { contentVersion } from '../cost/content-version.ts'
import { LOCAL } from '../cost/open-table.ts'
import { type BenchTable, startTable } from '../cost/start-table.ts'
import { checkLoad } from './check-load.ts'

const LOAD_PROCESS = fileURLToPath(new URL('./load-process.ts', import.meta.url))
/** About this many events are also stored by the service's own writer, and the results are compared. */
const CHECKED_EVENTS = 300

/**
 * Opens a table with the newest events of the history in a new embedded engine. The events are loaded in bulk, and a
 * sample is compared with the result of the service's own writer. The table stays on disk until the events or the item
 * format change.
 */
export async function openHistory(records: readonly EventRecord[]): Promise<BenchTable> {
  const dataDir = `${LOCAL}/bench-scale-${records.length}-${contentVersion(records)}`
  const complete = `${dataDir}.complete`
  if (!existsSync(complete)) {
    await load(dataDir, records.length)
    const step = Math.ceil(records.length / CHECKED_EVENTS)
    await checkLoad(
      dataDir,
      records.filter((record, index) => index % step === 0 || record.event === 'OwnershipTransferred'),
    )
    await writeFile(complete, '')
  }
  return startTable(dataDir)
}

/** Uses a process that does not hold all records. Otherwise, garbage collection would take most of the time. */
async function load(dataDir: string, events: number): Promise<void> {
  const { tableName, close } = await startTable(dataDir)
  await close()
  const { message, ended } = forkPart(LOAD_PROCESS, [JSON.stringify({ dataDir, tableName, events })], {
    execArgv: ['--max-old-space-size=4000', '--max-semi-space-size=128'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await message()
  await ended
}
