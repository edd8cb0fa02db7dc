import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Coding } from './choose-coding.ts'

/** Measured on pages of events: higher levels take up to three times as long for the same size. */
const BROTLI = {
  [constants.BROTLI_PARAM_QUALITY]: 4,
  [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
}

// Synchronous: an instance of a function has one request at a time, and handing a page to another thread
// was slower at every size measured.
const CODERS: Record<Exclude<Coding, 'identity'>, (body: string) => Buffer> = {
  br: body => brotliCompressSync(body, { params: BROTLI }),
  gzip: body => gzipSync(body),
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
 * Codes a body; bytes are returned to the gateway as base64. A body that would be longer so is left as
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
