import { setTimeout } from 'node:timers/promises'
import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb'
import type { Item } from '../format/item.ts'
import { delayMs, isWorthRetrying, MAX_FRUITLESS_TRIES, TableBusyError } from '../try-again.ts'

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
export const MAX_BATCH_ITEMS = 25
/** The default number of batches in flight. */
export const BATCHES_IN_FLIGHT = 8

export interface PutOptions {
  client: DynamoDBDocumentClient
  tableName: string
  /** Writing fails after this number of consecutive attempts that store nothing. */
  maxTries?: number
  /** An abort stops the writing at once. An item whose request is in flight may be stored or not. */
  signal?: AbortSignal | undefined
  /** Awaited right before each request. If the call rejects, the writing ends with its error. */
  beforeRequest?: (() => Promise<void>) | undefined
}

type WriteRequests = NonNullable<BatchWriteCommandInput['RequestItems']>[string]

/**
 * Stores up to 25 items, which must have different keys. Resolves with the used write units once all items are stored.
 * Unprocessed and throttled items are retried with exponential backoff. Throws `TableBusyError` if too many
 * consecutive attempts store nothing. Throws other errors of DynamoDB at once.
 */
export const putItems = (items: readonly Item[], options: PutOptions): Promise<number> =>
  sendAll(
    items.map(Item => ({ PutRequest: { Item } })),
    options,
  )

/** Removes up to 25 items, which must have different keys. Retries like `putItems`. */
export const deleteItems = (keys: readonly Item[], options: PutOptions): Promise<number> =>
  sendAll(
    keys.map(Key => ({ DeleteRequest: { Key } })),
    options,
  )

async function sendAll(all: WriteRequests, options: PutOptions): Promise<number> {
  const { tableName, maxTries = MAX_FRUITLESS_TRIES, signal } = options
  let requests = all
  let writeUnits = 0
  let fruitless = 0
  while (requests.length > 0) {
    const { unprocessed, units, cause } = await tryOnce(requests, options)
    writeUnits += units
    fruitless = unprocessed.length < requests.length ? 0 : fruitless + 1
    if (fruitless >= maxTries) throw new TableBusyError({ tableName, tries: fruitless, cause })
    if (unprocessed.length > 0) await setTimeout(delayMs(fruitless), undefined, { signal })
    requests = unprocessed
  }
  return writeUnits
}

async function tryOnce(requests: WriteRequests, { client, tableName, signal, beforeRequest }: PutOptions) {
  await beforeRequest?.()
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
