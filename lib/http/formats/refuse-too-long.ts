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
 * Throws `NotAcceptableError`, before anything is written, for what cannot be sent: a record alone, whose rows take more
 * than Lambda returns, to a caller who accepts no coding. Coded, all records fit that are stored: what repeats takes next
 * to nothing.
 */
export function refuseTooLong(records: readonly EventRecord[], { request, format }: Writing): void {
  const [first, ...others] = records
  const { sizes } = format
  if (!first || others.length > 0 || !sizes || sizes.bytesOf(first) <= MAX_PLAIN_LENGTH) return
  const body = { length: sizes.lengthOf(first) }
  if (chooseCoding(body, request.headers['accept-encoding']) !== 'identity') return
  throw new NotAcceptableError(
    `${first.id} alone takes more in this format than can be sent without compression: accept gzip or br, or ask for application/x-ndjson (format=ndjson)`,
  )
}
