import type { EventRecord } from '../../events/record.ts'
import { FORMAT_NAMES, type FormatName } from '../../query/parameters.ts'
import { chooseCoding, MAX_PLAIN_LENGTH } from '../content-coding.ts'
import type { HttpRequest } from '../http-request.ts'
import { preferredType } from '../preferred-type.ts'
import { NotAcceptableError } from '../problems.ts'
import { CSV_HEADER, csvBytes, csvLength, csvRows } from './csv.ts'

export interface Format {
  contentType: string
  write(records: readonly EventRecord[]): string
  /** Set only for a format in which a record can be larger than in JSON. */
  sizes?: RecordSizes
}

interface RecordSizes {
  /** The size of a record in a function's response, in bytes. */
  bytesOf(record: EventRecord): number
  /** The body length of a page that contains only this record. */
  lengthOf(record: EventRecord): number
}

/** A caller without a preference gets the first type. */
const MEDIA_TYPES = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
} as const satisfies Record<FormatName, string>

export type MediaType = (typeof MEDIA_TYPES)[FormatName]

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

/** The parameter `format` overrides `Accept`. Throws `NotAcceptableError` if `Accept` allows none of the formats. */
export function chooseFormat(accept: string | undefined, named?: FormatName): Format {
  const types = Object.values(MEDIA_TYPES)
  const type = named === undefined ? preferredType(types, accept) : MEDIA_TYPES[named]
  if (type === undefined) {
    throw new NotAcceptableError(
      `Accept must allow one of ${types.join(', ')}. If you cannot set Accept, send ${FORMAT_NAMES.map(name => `format=${name}`).join(' or ')}`,
    )
  }
  return FORMATS[type]
}

/**
 * Throws `NotAcceptableError` if the page's only record has more rows than Lambda can return without compression, and
 * the caller accepts no compression. Measures the rows without writing them, so call this function before the rows are
 * written. Every stored record fits when compressed, because repeated columns compress to almost nothing.
 */
export function refuseTooLong(
  records: readonly EventRecord[],
  { request, format }: { request: HttpRequest; format: Format },
): void {
  const [first, ...others] = records
  const { sizes } = format
  if (!first || others.length > 0 || !sizes || sizes.bytesOf(first) <= MAX_PLAIN_LENGTH) return
  const body = { length: sizes.lengthOf(first) }
  if (chooseCoding(body, request.headers['accept-encoding']) !== 'identity') return
  throw new NotAcceptableError(
    `${first.id} on its own is too long to be sent in this format without compression: accept gzip or br, or request application/x-ndjson (format=ndjson)`,
  )
}
