import { createHash } from 'node:crypto'
import { CODER_VERSIONS, type Coding } from './content-coding.ts'

/** 120 bits, which base64 writes without padding. */
const DIGEST_BYTES = 15

export interface Representation {
  body: string
  coding: Coding
  /** What belongs to the answer beside its body, such as the link to the next page. */
  metadata: readonly (string | undefined)[]
}

/** A strong tag (RFC 9110, 8.8.3): representations with the same tag are the same in every byte. */
export function entityTag({ body, coding, metadata }: Representation): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([coding, CODER_VERSIONS[coding], ...metadata]))
    .update(body)
    .digest()
    .subarray(0, DIGEST_BYTES)
  return `"${digest.toString('base64url')}${coding === 'identity' ? '' : `-${coding}`}"`
}

/** A list of tags may hold commas within them. */
const TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g

/** Whether `If-None-Match` names the tag, compared weakly (RFC 9110, 13.1.2); `*` names any. */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return [...ifNoneMatch.matchAll(TAG)].some(([, opaque]) => opaque === tag)
}
