import { QueryCommand } from '@aws-sdk/client-dynamodb'
import { StoreUnavailableError } from '../query/errors.ts'
import type { CallOptions } from '../query/event-store.ts'
import type { StoreCost } from '../query/store-cost.ts'
import { withSignal } from './call-signal.ts'
import type { AttributeMap, EventTable } from './event-table.ts'
import { CHECKPOINTS_LIST, LIST_KEY } from './keys.ts'
import { translateErrors } from './translate-errors.ts'

interface CheckpointsQuery extends CallOptions {
  /** With what is stored at this moment, at twice the price. */
  isConsistent?: boolean
}

/** The checkpoints of all networks as they are stored, by one Query. Throws `StoreUnavailableError`. */
export async function queryCheckpoints(
  { client, tableName }: EventTable,
  { isConsistent = false, ...options }: CheckpointsQuery = {},
): Promise<StoreCost & { items: AttributeMap[] }> {
  const command = new QueryCommand({
    TableName: tableName,
    KeyConditionExpression: '#list = :list',
    ExpressionAttributeNames: { '#list': LIST_KEY },
    ExpressionAttributeValues: { ':list': { S: CHECKPOINTS_LIST } },
    ...(isConsistent && { ConsistentRead: true }),
    ReturnConsumedCapacity: 'TOTAL',
  })
  const { Items: items, ConsumedCapacity } = await translateErrors(
    withSignal({ client, ...options }, given => client.send(command, given)),
  )
  if (!items) throw new StoreUnavailableError(new TypeError('The answer to a Query is not whole'))
  return { items, calls: 1, examined: items.length, readUnits: ConsumedCapacity?.CapacityUnits ?? 0 }
}
