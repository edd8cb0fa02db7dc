import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { EventRecord } from '../../../lib/events/record.ts'

export function copiedRecords(file: string): EventRecord[] {
  if (!existsSync(file)) return []
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = database.prepare('SELECT record FROM events ORDER BY id').all()
    return rows.map(({ record }) => JSON.parse(String(record)))
  } catch {
    return []
  } finally {
    database.close()
  }
}
