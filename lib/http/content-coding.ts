import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import Negotiator from 'negotiator'

/** How a body is sent: in brotli, in gzip, or as it is. */
export type Coding = keyof typeof CODERS | 'identity'

/** Measured on pages of events: higher levels take up to three times as long for the same size. */
const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 4,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
}

// Synchronous: an instance of a function has one request at a time, and handing a page to another thread
// was slower at every size measured.
const CODERS = {
  br: (body: string) => brotliCompressSync(body, { params: BROTLI }),
  gzip: (body: string) => gzipSync(body),
}

/** Bytes differ between versions of a coder, and then so must their entity tag. */
export const CODER_VERSIONS: Record<Coding, string | undefined> = {
  br: process.versions.brotli,
  gzip: process.versions.zlib,
  identity: '',
}

/** Best first, among those that a caller likes equally. */
const CODINGS: Coding[] = ['br', 'gzip', 'identity']

/** What fits into one packet arrives no sooner for being smaller. */
const WORTH_CODING_BYTES = 1_400

/** Lambda refuses more than 6 MB; the rest is for headers. What is longer is sent coded, or not at all. */
export const MAX_PLAIN_LENGTH = 6_000_000

/**
 * The coding for a body, by what the caller accepts and prefers (RFC 9110, 12.5.3). A caller who refuses
 * every coding, that of no coding included, is given the body as it is.
 */
export function chooseCoding(body: Pick<string, 'length'>, acceptEncoding: string | undefined): Coding {
  if (acceptEncoding === undefined || body.length < WORTH_CODING_BYTES) return 'identity'
  const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } })
  const sendable = body.length > MAX_PLAIN_LENGTH ? CODINGS.filter(coding => coding !== 'identity') : CODINGS
  const accepted = negotiator.encodings(sendable, { preferred: sendable })
  return CODINGS.find(coding => coding === accepted[0]) ?? 'identity'
}

/** A body as a function returns it. */
export interface EncodedBody {
  body: string
  isBase64Encoded: boolean
  /** As they will be sent. */
  byteLength: number
  coding: Coding
}

/**
 * Encodes a body; bytes are returned to the gateway as base64. A body that would be longer so is left as
 * it is: what Lambda can return without coding (6 MB), it can return with it.
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
