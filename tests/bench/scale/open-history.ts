import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { SingleBar } from 'cli-progress'
import type { EventRecord } from '../../../lib/events/record.ts'
import { contentVersion } from '../cost/content-version.ts'
import { LOCAL } from '../cost/open-table.ts'
import { type BenchTable, startTable } from '../cost/start-table.ts'
import { checkLoad } from './check-load.ts'
import { loadInBulk } from './load-in-bulk.ts'

/** Events of which every item and index entry is compared with what the service's own writer stores. */
const CHECKED_EVENTS = 300

/**
 * The events in a table of an embedded engine of its own, loaded in bulk and compared with what the service's own writer
 * stores. The table is kept on disk for as long as the events and the item format stay the same.
 */
export async function openHistory(records: readonly EventRecord[]): Promise<BenchTable> {
  const dataDir = `${LOCAL}/bench-scale-${records.length}-${contentVersion(records)}`
  const complete = `${dataDir}.complete`
  if (!existsSync(complete)) {
    await load(dataDir, records)
    const step = Math.ceil(records.length / CHECKED_EVENTS)
    await checkLoad(
      dataDir,
      records.filter((record, index) => index % step === 0 || record.event === 'OwnershipTransferred'),
    )
    await writeFile(complete, '')
  }
  return startTable(dataDir)
}

async function load(dataDir: string, records: readonly EventRecord[]): Promise<void> {
  const { tableName, close } = await startTable(dataDir)
  await close()
  const bar = new SingleBar({ format: 'loading {bar} {value}/{total} events, {eta_formatted} left' })
  bar.start(records.length, 0)
  await loadInBulk({ dataDir, tableName, onStored: ({ events }) => bar.update(events) }, records)
  bar.stop()
}
