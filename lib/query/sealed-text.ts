import { createHash } from 'node:crypto'

/** 96 bits are enough to detect accidental changes, and nobody gains anything by forging a digest. */
const DIGEST_BYTES = 12

/**
 * Encodes a value as a string that is bound to a key: the base64url encoding of a digest and the value's JSON. To check
 * such a string, seal its value again: the result differs if the string was altered or is bound to another key.
 */
export function seal(value: unknown, key: string): string {
  const payload = JSON.stringify(value)
  return Buffer.concat([digest(payload, key), Buffer.from(payload)]).toString('base64url')
}

/** Returns the value without checking the key, or undefined if the string is malformed. */
export function unseal(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').subarray(DIGEST_BYTES).toString('utf8'))
  } catch {
    return undefined
  }
}

const digest = (payload: string, key: string) =>
  createHash('sha256').update(`${key}\n${payload}`).digest().subarray(0, DIGEST_BYTES)
