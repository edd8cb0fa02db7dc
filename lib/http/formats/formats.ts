import type { EventRecord } from '../../events/record.ts'
import { CSV_HEADER, csvBytes, csvRows } from './csv.ts'

/** How a page of records is written. */
export interface Format {
  contentType: string
  write(records: readonly EventRecord[]): string
  /** What a record takes in a function's response, where that can be more than in JSON. */
  bytesOf?: (record: EventRecord) => number
}

export type MediaType = 'application/json' | 'application/x-ndjson' | 'text/csv'

/** The first one for who has no preference. */
export const MEDIA_TYPES: readonly [MediaType, ...MediaType[]] = [
  'application/json',
  'application/x-ndjson',
  'text/csv',
]

export const FORMATS: Record<MediaType, Format> = {
  'application/json': { contentType: 'application/json', write: records => JSON.stringify(records) },
  'application/x-ndjson': {
    contentType: 'application/x-ndjson',
    write: records => records.map(record => `${JSON.stringify(record)}\n`).join(''),
  },
  'text/csv': {
    contentType: 'text/csv; charset=utf-8',
    write: records => CSV_HEADER + records.map(csvRows).join(''),
    bytesOf: csvBytes,
  },
}
