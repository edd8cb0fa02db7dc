import { parse } from 'csv-parse/sync'

/** The header and the rows of a CSV body, as a program that knows nothing of the service reads it. */
export function readCsv(text: string): { columns: string[]; rows: Record<string, string>[] } {
  const [columns = [], ...rows] = parse(text, { record_delimiter: '\r\n' }) as string[][]
  return {
    columns,
    rows: rows.map(row => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? '']))),
  }
}
