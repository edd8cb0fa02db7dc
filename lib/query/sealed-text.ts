import { createHash } from 'node:crypto'

/** The length of the digest. 96 bits suffice to detect accidental changes, and forging a digest gains nothing. */
const DIGEST_BYTES = 12

/**
 * Encodes a value as a text that is bound to a key: base64url of a digest and the value as JSON. To check a text, seal
 * the decoded value again and compare: the two texts differ if the text was altered, or is bound to a different key.
 */
export function seal(value: unknown, key: string): string {
  const payload = JSON.stringify(value)
  return Buffer.concat([digest(payload, key), Buffer.from(payload)]).toString('base64url')
}

/** Returns the value in a sealed text, for any key. Undefined if the text is malformed. */
export function unseal(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').subarray(DIGEST_BYTES).toString('utf8'))
  } catch {
    return undefined
  }
}

const digest = (payload: string, key: string) =>
  createHash('sha256').update(`${key}\n${payload}`).digest().subarray(0, DIGEST_BYTES)
