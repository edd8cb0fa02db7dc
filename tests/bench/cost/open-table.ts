import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { SingleBar } from 'cli-progress'
import { createTable } from '../../../infra/local/database/create-table.ts'
import { startEngine } from '../../../infra/local/engine/start-engine.ts'
import { createBlockNotes } from '../../../lib/ingest/note-blocks.ts'
import { putBlockTimes } from '../../../lib/store/block-times.ts'
import type { EventTable } from '../../../lib/store/event-table.ts'
import { itemsOf } from '../../../lib/store/item.ts'
import { writeEvents } from '../../../lib/store/write-events.ts'
import { generateEvents } from './generate-events.ts'

const LOCAL = fileURLToPath(new URL('../../../.local', import.meta.url))

/** Events of which the items are looked at for a change of format. */
const SAMPLED_ITEMS = 500

export interface BenchTable extends EventTable {
  close(): Promise<void>
}

/**
 * The generated events in a table of the embedded engine. Loading takes some minutes, so the table is
 * kept on disk for as long as the events and the item format stay the same.
 */
export async function openTable(): Promise<BenchTable> {
  const dataDir = `${LOCAL}/bench-cost-${contentVersion()}`
  const complete = `${dataDir}.complete`
  const engine = await startEngine({ engine: 'dynalite', dataDir })
  const client = new DynamoDBClient({
    endpoint: engine.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
  const table = { client, tableName: 'events' }
  await createTable(table)
  if (!existsSync(complete)) {
    await load(table)
    await writeFile(complete, '')
  }
  return {
    ...table,
    close: async () => {
      client.destroy()
      await engine.stop()
    },
  }
}

/** Changes with any event generated, and with the items that events become. */
function contentVersion(): string {
  const hash = createHash('sha256')
  let sampled = 0
  for (const record of generateEvents()) {
    hash.update(JSON.stringify(sampled < SAMPLED_ITEMS ? itemsOf(record) : record))
    sampled += 1
  }
  return hash.digest('hex').slice(0, 12)
}

async function load(table: EventTable): Promise<void> {
  const bar = new SingleBar({ format: 'loading {bar} {value}/{total} events, {eta_formatted} left' })
  bar.start([...generateEvents()].length, 0)
  await writeEvents({ ...table, onStored: ({ events }) => bar.update(events) }, generateEvents())
  bar.stop()
  const notes = createBlockNotes()
  for (const record of generateEvents()) notes.add(record)
  const client = DynamoDBDocumentClient.from(table.client)
  for (const [network, times] of notes.final()) await putBlockTimes(network, times, { ...table, client })
}
