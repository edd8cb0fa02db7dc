import { QueryCommand } from '@aws-sdk/client-dynamodb'
import { NETWORKS, type Network } from '../events/networks.ts'
import { BEGINNING, endOfBlock, type Place } from '../events/place.ts'
import type { ChangeStore, Resting } from '../query/changes/change-store.ts'
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
    const ends = Items.flatMap(endOfIndexed)
    return {
      frontiers: new Map(ends.filter(end => !end.isAtRest).map(({ network, place }) => [network, place])),
      resting: new Map(ends.filter(end => end.isAtRest).map(({ network, ...end }) => [network, end])),
      indexed: Items.flatMap(indexedThrough),
      calls: 1,
      examined: Items.length,
      readUnits: ConsumedCapacity?.CapacityUnits ?? 0,
    }
  }

interface EndOfIndexed extends Resting {
  network: Network
  /** Whether the last indexer has ended, and left nothing unfinished. One of an earlier version says only the first. */
  isAtRest: boolean
}

/** None of a network that no indexer of ours has written. */
function endOfIndexed(item: AttributeMap): EndOfIndexed[] {
  const network = NETWORKS.find(known => known === item[PLACE_KEY]?.S)
  if (!network || item.fence === undefined) return []
  const isAtRest = item.atRest?.BOOL === true && item.leased?.BOOL === false
  return [{ network, place: placeOfCheckpoint(network, item), fence: Number(item.fence.N), isAtRest }]
}

function placeOfCheckpoint(network: Network, item: AttributeMap): Place {
  if (item.blockNumber === undefined) return BEGINNING
  const [seconds, blockNumber] = [Number(item.timestamp?.N), Number(item.blockNumber.N)]
  try {
    return endOfBlock({ seconds, blockNumber, network, logIndex: 0 }, 'asc')
  } catch (cause) {
    throw new CorruptRowError({ list: CHECKPOINTS_LIST, place: network, cause })
  }
}
