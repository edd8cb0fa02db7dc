import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import Negotiator from 'negotiator'

export type Coding = keyof typeof CODERS | 'identity'

/** On pages of events, levels 5 to 9 take two to five times as long as level 4, and hardly make the body smaller. */
const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 4,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
}

// The coders are synchronous, because an instance handles one request at a time, and asynchronous coders were slower at
// every size.
const CODERS = {
  br: (body: string) => brotliCompressSync(body, { params: BROTLI }),
  gzip: (body: string) => gzipSync(body),
}

/** The version of each coder, which is in the entity tag because different versions may write different bytes. */
export const CODER_VERSIONS: Record<Coding, string | undefined> = {
  br: process.versions.brotli,
  gzip: process.versions.zlib,
  identity: '',
}

/** All codings, of which the service uses the first if the caller prefers several equally. */
const CODINGS: Coding[] = ['br', 'gzip', 'identity']

/** A shorter body fits into one packet, so compression would not make it arrive sooner. */
const WORTH_CODING_BYTES = 1_400

/**
 * This length is below Lambda's limit for a response (6 MB, where 1 MB is 1024 × 1024 bytes), because the headers also
 * count towards this limit.
 */
export const MAX_PLAIN_LENGTH = 6_000_000

/**
 * Chooses a coding by the rules of RFC 9110, 12.5.3. If the caller refuses every coding, `identity` included, returns
 * `identity`.
 */
export function chooseCoding(body: Pick<string, 'length'>, acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined || body.length < WORTH_CODING_BYTES) return 'identity'
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } })
  const sendable = body.length > MAX_PLAIN_LENGTH ? CODINGS.filter(coding => coding !== 'identity') : CODINGS
  const accepted = negotiator.encodings(sendable, { preferred: sendable })
  return CODINGS.find(coding => coding === accepted[0]) ?? 'identity'
}

export interface EncodedBody {
  body: string
  isBase64Encoded: boolean
  /** The number of bytes sent to the caller. */
  byteLength: number
  coding: Coding
}

/**
 * Compresses a body. The result is base64, because the gateway accepts bytes only in this form. If the base64 is longer
 * than the plain body, the body stays plain, so compression never makes a body exceed Lambda's limit of 6 MB.
 */
export function encodeBody(body: string, coding: Coding): EncodedBody {
  if (coding !== 'identity') {
    const bytes = CODERS[coding](body)
    const base64 = bytes.toString('base64')
    if (base64.length < body.length) {
      return { body: base64, isBase64Encoded: true, byteLength: bytes.length, coding }
    }
  }
  return { body, isBase64Encoded: false, byteLength: Buffer.byteLength(body), coding: 'identity' }
}
