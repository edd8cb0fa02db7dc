import { QueryCommand } from '@aws-sdk/client-dynamodb'
import { NETWORKS } from '../events/networks.ts'
import type { IndexedThrough, ReadIndexedThrough } from '../query/freshness.ts'
import type { EventTable } from './dynamo-event-store.ts'
import { CHECKPOINTS_LIST, LIST_KEY, PLACE_KEY } from './keys.ts'
import type { AttributeMap } from './read-record.ts'
import { translateErrors } from './translate-errors.ts'

/** Reads the checkpoints of all networks with one Query of half a read unit or a whole one. Throws `StoreUnavailableError`. */
export function createCheckpointReader({ client, tableName }: EventTable): ReadIndexedThrough {
  return async () => {
    const command = new QueryCommand({
      TableName: tableName,
      KeyConditionExpression: '#list = :list',
      ExpressionAttributeNames: { '#list': LIST_KEY },
      ExpressionAttributeValues: { ':list': { S: CHECKPOINTS_LIST } },
      ReturnConsumedCapacity: 'TOTAL',
    })
    const { Items: items = [], ConsumedCapacity } = await translateErrors(client.send(command))
    return {
      networks: items.flatMap(indexedThrough),
      calls: 1,
      examined: items.length,
      readUnits: ConsumedCapacity?.CapacityUnits ?? 0,
    }
  }
}

function indexedThrough(item: AttributeMap): IndexedThrough[] {
  const network = NETWORKS.find(known => known === item[PLACE_KEY]?.S)
  const { blockNumber, timestamp, finalizedBlock } = item
  // No block is indexed yet, or somebody else's item stands there.
  if (!network || blockNumber?.N === undefined || timestamp?.N === undefined) return []
  const indexed = { network, blockNumber: Number(blockNumber.N), timestamp: Number(timestamp.N) }
  if (finalizedBlock?.N === undefined) return [indexed]
  // The chain is final further than it is indexed while an indexer catches up.
  return [{ ...indexed, finalizedBlock: Math.min(Number(finalizedBlock.N), indexed.blockNumber) }]
}
