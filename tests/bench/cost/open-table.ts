import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SingleBar } from 'cli-progress'
import { createTable } from '../../../infra/local/create-table.ts'
import { startEngine } from '../../../infra/local/engine.ts'
import type { EventTable } from '../../../lib/store/dynamo-event-store.ts'
import { writeEvents } from '../../../lib/store/write-events.ts'
import { generateEvents } from './generate-events.ts'

const GENERATOR = fileURLToPath(new URL('./generate-events.ts', import.meta.url))
const ITEM_FORMAT = fileURLToPath(new URL('../../../lib/store/item.ts', import.meta.url))
const LISTS = fileURLToPath(new URL('../../../lib/events/lists.ts', import.meta.url))
const LOCAL = fileURLToPath(new URL('../../../.local', import.meta.url))

export interface BenchTable extends EventTable {
  close(): Promise<void>
}

/**
 * The generated events in a table of the embedded engine. Loading takes some minutes, so the table is
 * kept on disk for as long as the generator and the item format stay the same.
 */
export async function openTable(): Promise<BenchTable> {
  const sources = await Promise.all([GENERATOR, ITEM_FORMAT, LISTS].map(file => readFile(file)))
  const version = createHash('sha256').update(Buffer.concat(sources)).digest('hex').slice(0, 12)
  const dataDir = `${LOCAL}/bench-cost-${version}`
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

async function load(table: EventTable): Promise<void> {
  const bar = new SingleBar({ format: 'loading {bar} {value}/{total} events, {eta_formatted} left' })
  bar.start([...generateEvents()].length, 0)
  await writeEvents({ ...table, onStored: ({ events }) => bar.update(events) }, generateEvents())
  bar.stop()
}
