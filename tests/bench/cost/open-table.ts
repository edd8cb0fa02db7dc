import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { SingleBar } from 'cli-progress'
import type { EventRecord } from '../../../lib/events/record.ts'
import { createBlockNotes } from '../../../lib/ingest/load/note-blocks.ts'
import type { EventTable } from '../../../lib/store/event-table.ts'
import { putBlockTimes } from '../../../lib/store/writing/block-times.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { contentVersion } from './content-version.ts'
import { type BenchTable, startTable } from './start-table.ts'

const LOCAL = fileURLToPath(new URL('../../../.local', import.meta.url))

/**
 * Opens a table with the events in the embedded engine. The first call loads the events, which takes about a minute for
 * 60,000 events. The table stays on disk until the events or the item format change.
 */
export async function openTable(name: string, events: () => Iterable<EventRecord>): Promise<BenchTable> {
  const dataDir = `${LOCAL}/bench-${name}-${contentVersion(events())}`
  const complete = `${dataDir}.complete`
  const table = await startTable(dataDir)
  if (!existsSync(complete)) {
    await load(events, table)
    await writeFile(complete, '')
  }
  return table
}

async function load(events: () => Iterable<EventRecord>, table: EventTable): Promise<void> {
  const bar = new SingleBar({ format: 'loading {bar} {value}/{total} events, {eta_formatted} left' })
  bar.start([...events()].length, 0)
  await writeEvents({ ...table, onStored: ({ events: stored }) => bar.update(stored) }, events())
  bar.stop()
  const notes = createBlockNotes()
  for (const record of events()) notes.add(record)
  const client = DynamoDBDocumentClient.from(table.client)
  for (const [network, times] of notes.final()) await putBlockTimes(network, times, { ...table, client })
}
