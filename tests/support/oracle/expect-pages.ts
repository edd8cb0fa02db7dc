import type { EventRecord } from '../../../lib/events/record.ts'
import type { HttpAnswer } from '../http/ask.ts'
import { readCsv } from '../http/read-csv.ts'
import { eventsOf, linesOf } from '../http/walk.ts'
import { csvRowsOf } from './csv-rows-of.ts'
import { expectRecords } from './expect-records.ts'

const TYPES: Partial<Record<string, string>> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
}

interface ExpectedPages {
  records: readonly EventRecord[]
  format: string | undefined
}

/** Expects the pages to contain exactly these records in this order, and each page to have the requested format. */
export function expectPages(pages: HttpAnswer[], { records, format = 'json' }: ExpectedPages): void {
  const types = pages.map(({ headers }) => headers['content-type'])
  expect(types).toEqual(pages.map(() => TYPES[format]))
  if (format === 'csv') {
    expectRecords(
      pages.flatMap(({ text }) => readCsv(text).rows),
      records.flatMap(csvRowsOf),
    )
    return
  }
  expectRecords(pages.flatMap(format === 'ndjson' ? linesOf : eventsOf), records)
}

export function countRecords(page: HttpAnswer): number {
  const type = page.headers['content-type']
  if (type === TYPES.csv) return new Set(readCsv(page.text).rows.map(({ id }) => id)).size
  return (type === TYPES.ndjson ? linesOf(page) : eventsOf(page)).length
}
