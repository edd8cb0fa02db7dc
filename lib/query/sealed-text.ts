import { createHash } from 'node:crypto'

/** 96 bits: no accident gets past, and there is nothing to gain by forging. */
const DIGEST_BYTES = 12

/**
 * A value as a text that belongs to a key: base64url of a digest and the value as JSON. Who reads it seals what was
 * read once more, and compares: so a text that was altered, or belongs to another key, is found.
 */
export function seal(value: unknown, key: string): string {
  const payload = JSON.stringify(value)
  return Buffer.concat([digest(payload, key), Buffer.from(payload)]).toString('base64url')
}

/** The value in a sealed text, whatever key it belongs to; undefined where there is none. */
export function unseal(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').subarray(DIGEST_BYTES).toString('utf8'))
  } catch {
    return undefined
  }
}

const digest = (payload: string, key: string) =>
  createHash('sha256').update(`${key}\n${payload}`).digest().subarray(0, DIGEST_BYTES)
