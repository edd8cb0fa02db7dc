import type { EventRecord } from '../../events/record.ts'
import { chooseCoding, MAX_PLAIN_LENGTH } from '../content-coding.ts'
import { NotAcceptableError } from '../http-errors.ts'
import type { HttpRequest } from '../http-request.ts'
import type { Format } from './formats.ts'

interface Writing {
  request: HttpRequest
  format: Format
}

/**
 * Throws `NotAcceptableError` if the page's only record has more rows than Lambda can return without compression, and
 * the caller accepts no compression. Called before the rows are written. Every stored record fits when compressed,
 * because repeated columns compress to almost nothing.
 */
export function refuseTooLong(records: readonly EventRecord[], { request, format }: Writing): void {
  const [first, ...others] = records
  const { sizes } = format
  if (!first || others.length > 0 || !sizes || sizes.bytesOf(first) <= MAX_PLAIN_LENGTH) return
  const body = { length: sizes.lengthOf(first) }
  if (chooseCoding(body, request.headers['accept-encoding']) !== 'identity') return
  throw new NotAcceptableError(
    `${first.id} is alone too long to be sent in this format without compression: accept gzip or br, or request application/x-ndjson (format=ndjson)`,
  )
}
