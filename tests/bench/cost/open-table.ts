import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { SingleBar } from 'cli-progress'
import { createTable } from '../../../infra/local/database/create-table.ts'
import { startEngine } from '../../../infra/local/engine/start-engine.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { createBlockNotes } from '../../../lib/ingest/load/note-blocks.ts'
import type { EventTable } from '../../../lib/store/event-table.ts'
import { itemsOf } from '../../../lib/store/format/event-items.ts'
import { putBlockTimes } from '../../../lib/store/writing/block-times.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { localClient } from '../../support/store/local-client.ts'

const LOCAL = fileURLToPath(new URL('../../../.local', import.meta.url))

/** The table's content version depends on the items of this many events, so a new item format changes the version. */
const SAMPLED_ITEMS = 500

export type BenchTable = Awaited<ReturnType<typeof startTable>>

/**
 * Opens a table with the events in the embedded engine. The first call loads the events, which takes about a minute for
 * 60,000 events. Later calls use the table on disk until the events or the item format change.
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

function contentVersion(records: Iterable<EventRecord>): string {
  const hash = createHash('sha256')
  let sampled = 0
  for (const record of records) {
    hash.update(JSON.stringify(sampled < SAMPLED_ITEMS ? itemsOf(record) : record))
    sampled += 1
  }
  return hash.digest('hex').slice(0, 12)
}

/** Creates the table if it is missing. Without a folder for the engine's data, the table is kept in memory. */
export async function startTable(dataDir?: string) {
  const engine = await startEngine({ engine: 'dynalite', ...(dataDir && { dataDir }) })
  const { endpoint } = engine
  const table = { client: localClient(endpoint), tableName: 'events' }
  await createTable(table)
  return {
    ...table,
    endpoint,
    [Symbol.asyncDispose]: async () => {
      table.client.destroy()
      await engine.stop()
    },
  }
}
