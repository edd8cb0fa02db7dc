import type { EventRecord } from '../../events/record.ts'
import { chooseCoding } from '../content-coding.ts'
import { NotAcceptableError } from '../http-errors.ts'
import type { HttpRequest } from '../http-request.ts'
import type { Format } from './formats.ts'

/** Lambda refuses more than 6 MB; the rest is for headers. */
const MAX_BYTES = 6_000_000

interface Written {
  records: readonly EventRecord[]
  request: HttpRequest
  format: Format
}

/**
 * Throws `NotAcceptableError` for what cannot be sent: a record alone, whose rows take more than Lambda returns, to a
 * caller who accepts no coding. Coded, all records fit that are stored: what repeats takes next to nothing.
 */
export function refuseTooLong(body: string, { records, request, format }: Written): void {
  const [first, ...others] = records
  if (!first || others.length > 0 || (format.bytesOf?.(first) ?? 0) <= MAX_BYTES) return
  if (chooseCoding(body, request.headers['accept-encoding']) !== 'identity') return
  throw new NotAcceptableError(
    `${first.id} alone takes more in this format than can be sent without compression: accept gzip or br, or application/x-ndjson`,
  )
}
