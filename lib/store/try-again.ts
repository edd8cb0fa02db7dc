import { setTimeout } from 'node:timers/promises'
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry'

/** With the delays below, half a minute in which nothing at all was stored; on top come the client's own. */
export const MAX_FRUITLESS_TRIES = 12
const FIRST_DELAY_MS = 50
const LONGEST_DELAY_MS = 10_000

/** The table took nothing for too long. What was stored before stays, and writing it all again is safe. */
export class WriteFailedError extends Error {
  override readonly name = 'WriteFailedError'
  readonly code = 'write-failed'

  constructor({ tableName, tries, cause }: { tableName: string; tries: number; cause: unknown }) {
    super(`The table ${tableName} took no items in ${tries} tries in a row`, { cause })
  }
}

export interface TryOptions {
  tableName: string
  /** Tries in a row that lead nowhere after which it is given up. */
  maxTries?: number
  signal?: AbortSignal | undefined
}

/**
 * Sends a request that may be sent twice until DynamoDB takes it. Throws `WriteFailedError` when it stays
 * too busy, and errors of the request itself at once.
 */
export async function tryAgain<Answer>(
  send: () => Promise<Answer>,
  { tableName, maxTries = MAX_FRUITLESS_TRIES, signal }: TryOptions,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send()
    } catch (cause) {
      if (!isWorthRetrying(cause)) throw cause
      if (tries >= maxTries) throw new WriteFailedError({ tableName, tries, cause })
      await setTimeout(delayMs(tries), undefined, { signal })
    }
  }
}

type SdkError = Parameters<typeof isThrottlingError>[0]

/** DynamoDB is too busy, broken or out of reach at the moment; the request itself is not at fault. */
export function isWorthRetrying(error: unknown): boolean {
  const failure = error as SdkError
  return isThrottlingError(failure) || isTransientError(failure) || isServerError(failure)
}

/** Exponential backoff with full jitter: writers that were refused together come back apart. */
export const delayMs = (tries: number) =>
  Math.random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** tries)
