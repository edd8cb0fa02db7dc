import { setTimeout } from 'node:timers/promises'
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry'
import { StoreUnavailableError } from '../query/errors.ts'

/** With the delays below, this many tries take half a minute on average, plus the time of the client's own retries. */
const MAX_FRUITLESS_TRIES = 12
const FIRST_DELAY_MS = 50
const LONGEST_DELAY_MS = 10_000

/** Items from earlier requests stay stored, and it is safe to write all items again. */
export class TableBusyError extends Error {
  override readonly name = 'TableBusyError'
  readonly code = 'write-failed'

  constructor({ tableName, tries, cause }: { tableName: string; tries: number; cause: unknown }) {
    super(`The table ${tableName} did not accept a request in ${tries} consecutive attempts`, { cause })
  }
}

export interface TryOptions {
  tableName: string
  maxTries?: number
  signal?: AbortSignal | undefined
  /** Called and awaited immediately before each attempt. If this function rejects, its error is final. */
  beforeRequest?: (() => Promise<void>) | undefined
}

/** DynamoDB was too busy to process any item of a batch. */
export class UnprocessedError extends Error {
  override readonly name = 'UnprocessedError'
}

/** `send` must be idempotent. Throws `TableBusyError` after the last attempt, and all other errors immediately. */
export async function tryAgain<Answer>(
  send: () => Promise<Answer>,
  { tableName, maxTries = MAX_FRUITLESS_TRIES, signal, beforeRequest }: TryOptions,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    await beforeRequest?.()
    try {
      return await send()
    } catch (cause) {
      if (!isWorthRetrying(cause)) throw cause
      if (tries >= maxTries) throw new TableBusyError({ tableName, tries, cause })
      await setTimeout(delayMs(tries), undefined, { signal })
    }
  }
}

/** False if the condition is not met, possibly because an earlier attempt succeeded but its response was lost. */
export async function isMet(send: () => Promise<unknown>, options: TryOptions): Promise<boolean> {
  try {
    await tryAgain(send, options)
    return true
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false
    throw error
  }
}

/** Whether a retry can succeed, because the fault lies with DynamoDB or the connection and not with the request. */
function isWorthRetrying(error: unknown): boolean {
  if (error instanceof StoreUnavailableError) return isWorthRetrying(error.cause)
  const failure = error as Parameters<typeof isThrottlingError>[0]
  return (
    error instanceof UnprocessedError ||
    isThrottlingError(failure) ||
    isTransientError(failure) ||
    isServerError(failure)
  )
}

/** Exponential backoff with full jitter, so that throttled writers do not retry at the same time. */
export const delayMs = (tries: number) =>
  Math.random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** tries)
