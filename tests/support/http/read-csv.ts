import { parse } from 'csv-parse/sync'

export const readCsv = (text: string): { rows: Record<string, string>[] } => ({
  rows: parse(text, { columns: true, record_delimiter: '\r\n' }),
})
