import { setTimeout } from 'node:timers/promises'
import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb'
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry'
import type { Item } from './item.ts'

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
export const MAX_BATCH_ITEMS = 25
/** With the delays below, half a minute in which nothing at all was stored; on top come the client's own. */
const MAX_FRUITLESS_TRIES = 12
const FIRST_DELAY_MS = 50
const LONGEST_DELAY_MS = 10_000

export interface PutOptions {
  client: DynamoDBDocumentClient
  tableName: string
  /** Tries in a row that store nothing after which writing is given up. */
  maxTries?: number
  /** Stops at once; items on their way may be stored or not. */
  signal?: AbortSignal | undefined
}

/** The table took nothing for too long. What was stored before stays, and writing it all again is safe. */
export class WriteFailedError extends Error {
  override readonly name = 'WriteFailedError'
  readonly code = 'write-failed'

  constructor({ tableName, tries, cause }: { tableName: string; tries: number; cause: unknown }) {
    super(`The table ${tableName} took no items in ${tries} tries in a row`, { cause })
  }
}

type WriteRequests = NonNullable<BatchWriteCommandInput['RequestItems']>[string]

/**
 * Stores at most 25 items of different keys, and resolves with the write units used once all are stored.
 * What DynamoDB leaves unprocessed or refuses for load is tried again after a random part of a growing
 * delay. Throws `WriteFailedError` when that leads nowhere, other errors of DynamoDB at once.
 */
export async function putItems(items: readonly Item[], options: PutOptions): Promise<number> {
  const { tableName, maxTries = MAX_FRUITLESS_TRIES, signal } = options
  let requests: WriteRequests = items.map(Item => ({ PutRequest: { Item } }))
  let writeUnits = 0
  let fruitless = 0
  while (requests.length > 0) {
    const { unprocessed, units, cause } = await tryOnce(requests, options)
    writeUnits += units
    fruitless = unprocessed.length < requests.length ? 0 : fruitless + 1
    if (fruitless >= maxTries) throw new WriteFailedError({ tableName, tries: fruitless, cause })
    if (unprocessed.length > 0) await setTimeout(delayMs(fruitless), undefined, { signal })
    requests = unprocessed
  }
  return writeUnits
}

async function tryOnce(requests: WriteRequests, { client, tableName, signal }: PutOptions) {
  try {
    const answer = await client.send(
      new BatchWriteCommand({ RequestItems: { [tableName]: requests }, ReturnConsumedCapacity: 'TOTAL' }),
      signal && { abortSignal: signal },
    )
    const units = (answer.ConsumedCapacity ?? []).reduce((sum, used) => sum + (used.CapacityUnits ?? 0), 0)
    return { unprocessed: answer.UnprocessedItems?.[tableName] ?? [], units, cause: undefined }
  } catch (error) {
    if (!isWorthRetrying(error)) throw error
    return { unprocessed: requests, units: 0, cause: error }
  }
}

type SdkError = Parameters<typeof isThrottlingError>[0]

function isWorthRetrying(error: unknown): boolean {
  const failure = error as SdkError
  return isThrottlingError(failure) || isTransientError(failure) || isServerError(failure)
}

/** Exponential backoff with full jitter: writers that were refused together come back apart. */
const delayMs = (fruitless: number) =>
  Math.random() * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** fruitless)
