import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb'
import type { ChangeStore, RewindPage } from '../query/changes/change-store.ts'
import { StoreUnavailableError } from '../query/errors.ts'
import type { CallOptions } from '../query/event-store.ts'
import { withSignal } from './call-signal.ts'
import type { EventTable } from './event-table.ts'
import { LIST_KEY, PLACE_KEY, REWINDS_LIST } from './keys.ts'
import { parseRewind, REWIND, rewindKey } from './rewind-item.ts'
import { translateErrors } from './translate-errors.ts'

/** Reads the log of rewinds, consistently. Throws `StoreUnavailableError` and `CorruptRowError`. */
export const createRewindReader = (
  table: EventTable,
): Pick<ChangeStore, 'readRewinds' | 'readNewestRewinds'> => ({
  readRewinds: ({ from, limit }, options) =>
    readLog(
      {
        KeyConditionExpression: '#list = :list AND #place >= :from',
        ExpressionAttributeNames: { '#list': LIST_KEY, '#place': PLACE_KEY },
        ExpressionAttributeValues: {
          ':list': { S: REWINDS_LIST },
          ':from': { S: rewindKey(from)[PLACE_KEY] },
        },
        Limit: limit,
      },
      { ...table, ...options },
    ),
  readNewestRewinds: ({ limit }, options) =>
    readLog(
      {
        KeyConditionExpression: '#list = :list',
        ExpressionAttributeNames: { '#list': LIST_KEY },
        ExpressionAttributeValues: { ':list': { S: REWINDS_LIST } },
        ScanIndexForward: false,
        Limit: limit,
      },
      { ...table, ...options },
    ),
})

async function readLog(
  range: Omit<QueryCommandInput, 'TableName'>,
  { client, tableName, ...options }: EventTable & CallOptions,
): Promise<RewindPage> {
  const command = new QueryCommand({
    TableName: tableName,
    ...range,
    ConsistentRead: true,
    ReturnConsumedCapacity: 'TOTAL',
  })
  const { Items, LastEvaluatedKey, ConsumedCapacity } = await translateErrors(
    withSignal({ client, ...options }, given => client.send(command, given)),
  )
  if (!Items) throw new StoreUnavailableError(new TypeError('The answer to a Query is not whole'))
  return {
    rewinds: Items.map(item => parseRewind(item[PLACE_KEY]?.S, item[REWIND]?.S)),
    isMore: LastEvaluatedKey !== undefined,
    calls: 1,
    examined: Items.length,
    readUnits: ConsumedCapacity?.CapacityUnits ?? 0,
  }
}
