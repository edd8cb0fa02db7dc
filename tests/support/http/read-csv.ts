import { parse } from 'csv-parse/sync'

export function readCsv(text: string): { columns: string[]; rows: Record<string, string>[] } {
  const [columns = [], ...rows] = parse(text, { record_delimiter: '\r\n' }) as string[][]
  return {
    columns,
    rows: rows.map(row => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? '']))),
  }
}
