import type { EventRecord } from '../../events/record.ts'
import type { FormatName } from '../../query/parameters.ts'
import { CSV_HEADER, csvBytes, csvLength, csvRows } from './csv.ts'

/** How a page of records is written. */
export interface Format {
  contentType: string
  write(records: readonly EventRecord[]): string
  /** Of a format in which a record can take more than in JSON. */
  sizes?: RecordSizes
}

interface RecordSizes {
  /** What a record takes in a function's response. */
  bytesOf(record: EventRecord): number
  /** How long the body of a page is that holds this record alone. */
  lengthOf(record: EventRecord): number
}

export type MediaType = 'application/json' | 'application/x-ndjson' | 'text/csv'

/** The first one for who has no preference. */
export const MEDIA_TYPES: readonly [MediaType, ...MediaType[]] = [
  'application/json',
  'application/x-ndjson',
  'text/csv',
]

/** What the values of `format` stand for. */
export const NAMED_TYPES: Record<FormatName, MediaType> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
}

export const FORMATS: Record<MediaType, Format> = {
  'application/json': { contentType: 'application/json', write: records => JSON.stringify(records) },
  'application/x-ndjson': {
    contentType: 'application/x-ndjson',
    write: records => records.map(record => `${JSON.stringify(record)}\n`).join(''),
  },
  'text/csv': {
    contentType: 'text/csv; charset=utf-8',
    write: records => CSV_HEADER + records.map(csvRows).join(''),
    sizes: { bytesOf: csvBytes, lengthOf: csvLength },
  },
}
