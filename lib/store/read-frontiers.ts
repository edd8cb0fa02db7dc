import { QueryCommand } from '@aws-sdk/client-dynamodb'
import { NETWORKS, type Network } from '../events/networks.ts'
import { BEGINNING, endOfBlock, type Place } from '../events/place.ts'
import type { ChangeStore } from '../query/changes/change-store.ts'
import { CorruptRowError, StoreUnavailableError } from '../query/errors.ts'
import { withSignal } from './call-signal.ts'
import type { AttributeMap, EventTable } from './event-table.ts'
import { CHECKPOINTS_LIST, LIST_KEY, PLACE_KEY } from './keys.ts'
import { indexedThrough } from './read-checkpoints.ts'
import { translateErrors } from './translate-errors.ts'

/** Reads with one consistent Query how far indexers have come. Throws `StoreUnavailableError` and `CorruptRowError`. */
export const createFrontierReader =
  ({ client, tableName }: EventTable): ChangeStore['readFrontiers'] =>
  async (options = {}) => {
    const command = new QueryCommand({
      TableName: tableName,
      KeyConditionExpression: '#list = :list',
      ExpressionAttributeNames: { '#list': LIST_KEY },
      ExpressionAttributeValues: { ':list': { S: CHECKPOINTS_LIST } },
      ConsistentRead: true,
      ReturnConsumedCapacity: 'TOTAL',
    })
    const { Items, ConsumedCapacity } = await translateErrors(
      withSignal({ client, ...options }, given => client.send(command, given)),
    )
    if (!Items) throw new StoreUnavailableError(new TypeError('The answer to a Query is not whole'))
    return {
      frontiers: new Map(Items.flatMap(frontierOf)),
      indexed: Items.flatMap(indexedThrough),
      calls: 1,
      examined: Items.length,
      readUnits: ConsumedCapacity?.CapacityUnits ?? 0,
    }
  }

/** None of a network that no indexer of ours has written, or that the last one has left at rest. */
function frontierOf(item: AttributeMap): [Network, Place][] {
  const network = NETWORKS.find(known => known === item[PLACE_KEY]?.S)
  if (!network || item.fence === undefined || item.atRest?.BOOL === true) return []
  if (item.blockNumber === undefined) return [[network, BEGINNING]]
  const [seconds, blockNumber] = [Number(item.timestamp?.N), Number(item.blockNumber.N)]
  try {
    return [[network, endOfBlock({ seconds, blockNumber, network, logIndex: 0 }, 'asc')]]
  } catch (cause) {
    throw new CorruptRowError({ list: CHECKPOINTS_LIST, place: network, cause })
  }
}
