import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Internals, Store } from 'dynalite/db'
import type { EventRecord } from '../../../lib/events/record.ts'
import { itemsOf } from '../../../lib/store/item.ts'
import { copiesOf } from '../../../lib/store/item-bytes.ts'
import { writeEvents } from '../../../lib/store/write-events.ts'
import { startTable } from '../cost/start-table.ts'

const db = createRequire(import.meta.url)('dynalite/db') as Internals

/** As they stand in the files, not parsed. */
const AS_WRITTEN = { valueEncoding: 'utf8' } as const
/** What the engine keeps about its tables, the time of their making among it. */
const TABLES = 'table~'

/**
 * Has the service's own writer store the events in an engine of its own, and compares what then is in its files, items and
 * index entries, byte for byte with the files of an engine that does not run. Throws where one differs or is not there.
 */
export async function checkLoad(
  dataDir: string,
  events: readonly EventRecord[],
): Promise<{ entries: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'check-load-'))
  try {
    const table = await startTable(folder)
    await writeEvents(table, events)
    await table.close()
    const [written, loaded] = [folder, dataDir].map(each => db.create({ path: each })) as [Store, Store]
    const close = () => Promise.all([written.db.close(), loaded.db.close()])
    const entries = await compare(written, loaded).finally(close)
    const expected = events.reduce((sum, event) => sum + entriesOf(event), 0)
    if (entries !== expected) throw new Error(`${entries} entries were compared, of ${expected}`)
    return { entries }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function compare(written: Store, loaded: Store): Promise<number> {
  let entries = 0
  for await (const [key, value] of written.db.iterator(AS_WRITTEN)) {
    if (key.startsWith(TABLES)) continue
    const [found] = await loaded.db.getMany([key], AS_WRITTEN)
    if (found !== value) throw new Error(`${key} is ${found ?? 'missing'}; written is ${value}`)
    entries += 1
  }
  return entries
}

function entriesOf(event: EventRecord): number {
  const { chunks, entries } = itemsOf(event)
  return [...chunks, ...entries].reduce((sum, item) => sum + copiesOf(item), 0)
}
