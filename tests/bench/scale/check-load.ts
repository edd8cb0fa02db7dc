import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Internals, Store } from 'dynalite/db'
import type { EventRecord } from '../../../lib/events/record.ts'
import { copiesOf } from '../../../lib/inspect/item-cost.ts'
import { itemsOf } from '../../../lib/store/format/item.ts'
import { writeEvents } from '../../../lib/store/writing/write-events.ts'
import { startTable } from '../cost/start-table.ts'

const db = createRequire(import.meta.url)('dynalite/db') as Internals

/** Reads entries as the files store them, not parsed. */
const AS_WRITTEN = { valueEncoding: 'utf8' } as const
/** The engine's descriptions of tables are not compared, because they include the creation time. */
const TABLES = 'table~'

/**
 * Lets the service's own writer store the events in a new engine. Compares the new engine's files with the files in
 * `dataDir` byte for byte: all items and all index entries. The engine of `dataDir` must be stopped. Throws if an entry
 * differs or is missing.
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
