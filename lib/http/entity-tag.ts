import { createHash } from 'node:crypto'
import { CODER_VERSIONS, type Coding } from './content-coding.ts'
import type { HttpResponse } from './response.ts'

/** 120 bits: a multiple of 3 bytes, which base64 encodes without padding. */
const DIGEST_BYTES = 15

export interface Representation {
  body: string
  coding: Coding
  /** The values of headers that can differ between answers with equal bodies, such as the link to the next page. */
  metadata: readonly (string | undefined)[]
}

/** Returns a strong tag (RFC 9110, 8.8.3): representations with the same tag are equal in every byte. */
export function entityTag({ body, coding, metadata }: Representation): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([coding, CODER_VERSIONS[coding], ...metadata]))
    .update(body)
    .digest()
    .subarray(0, DIGEST_BYTES)
  return `"${digest.toString('base64url')}${coding === 'identity' ? '' : `-${coding}`}"`
}

/** Matches one tag of a list. Splitting the list at commas would be wrong, because tags may contain commas. */
const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/** Whether `If-None-Match` contains the tag, compared weakly (RFC 9110, 13.1.2). `*` matches any tag. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(TAG)].some(([, opaque]) => opaque === tag)
}

/** Returns a 304 with the headers that describe the caller's copy (RFC 9110, 15.4.5). */
export function notModified({ headers }: HttpResponse): HttpResponse {
  const { 'Content-Type': _, ...kept } = headers
  return { statusCode: 304, headers: kept, body: '', isBase64Encoded: false }
}
