import { setTimeout } from 'node:timers/promises'
import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  type DynamoDBDocumentClient,
} from '@aws-sdk/lib-dynamodb'
import { cutBatches } from '../event-table.ts'
import type { Item } from '../format/event-items.ts'
import { delayMs, type TryOptions, tryAgain, UnprocessedError } from '../try-again.ts'

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
export const MAX_BATCH_ITEMS = 25

/** On abort, requests in flight may or may not succeed. */
export interface PutOptions extends TryOptions {
  client: DynamoDBDocumentClient
}

type WriteRequests = NonNullable<BatchWriteCommandInput['RequestItems']>[string]

/**
 * Puts items, whose keys must differ, and resolves with the consumed write units. Throws `TableBusyError` if `maxTries`
 * consecutive tries store nothing.
 */
export const putItems = (items: readonly Item[], options: PutOptions): Promise<number> =>
  sendAll(
    items.map(Item => ({ PutRequest: { Item } })),
    options,
  )

/** Retries as `putItems` does. */
export const deleteItems = (keys: readonly Item[], options: PutOptions): Promise<number> =>
  sendAll(
    keys.map(Key => ({ DeleteRequest: { Key } })),
    options,
  )

async function sendAll(all: WriteRequests, options: PutOptions): Promise<number> {
  let writeUnits = 0
  for (const batch of cutBatches(all, MAX_BATCH_ITEMS)) {
    let requests = batch
    while (requests.length > 0) {
      const { unprocessed, units } = await tryAgain(() => sendOnce(requests, options), options)
      writeUnits += units
      if (unprocessed.length > 0) await setTimeout(delayMs(0), undefined, { signal: options.signal })
      requests = unprocessed
    }
  }
  return writeUnits
}

async function sendOnce(requests: WriteRequests, { client, tableName, signal }: PutOptions) {
  const { UnprocessedItems, ConsumedCapacity = [] } = await client.send(
    new BatchWriteCommand({ RequestItems: { [tableName]: requests }, ReturnConsumedCapacity: 'TOTAL' }),
    signal && { abortSignal: signal },
  )
  const unprocessed = UnprocessedItems?.[tableName] ?? []
  if (unprocessed.length === requests.length) throw new UnprocessedError()
  return { unprocessed, units: ConsumedCapacity.reduce((sum, used) => sum + (used.CapacityUnits ?? 0), 0) }
}
