import { QueryCommand } from '@aws-sdk/client-dynamodb'
import { NETWORKS } from '../events/networks.ts'
import { MAX_BLOCK_NUMBER, MAX_SECONDS } from '../events/place.ts'
import type { IndexedThrough, ReadIndexedThrough } from '../query/indexed-through.ts'
import type { AttributeMap, EventTable } from './event-table.ts'
import { CHECKPOINTS_LIST, LIST_KEY, PLACE_KEY } from './keys.ts'
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

const isCount = (value: number, max: number) => Number.isInteger(value) && value >= 0 && value <= max

/** How far a network is indexed, by its item; nothing where no block is yet. */
export function indexedThrough(item: AttributeMap): IndexedThrough[] {
  const network = NETWORKS.find(known => known === item[PLACE_KEY]?.S)
  const blockNumber = Number(item.blockNumber?.N)
  const timestamp = Number(item.timestamp?.N)
  // No block is indexed yet, or what stands there is somebody else's.
  if (!network || !isCount(blockNumber, MAX_BLOCK_NUMBER) || !isCount(timestamp, MAX_SECONDS)) return []
  const indexed = { network, blockNumber, timestamp }
  const finalizedBlock = Number(item.finalizedBlock?.N)
  if (!isCount(finalizedBlock, Number.MAX_SAFE_INTEGER)) return [indexed]
  // The chain is final further than it is indexed while an indexer catches up.
  if (finalizedBlock >= blockNumber) {
    return [{ ...indexed, finalizedBlock: blockNumber, finalizedTimestamp: timestamp }]
  }
  const finalizedTimestamp = Number(item.finalizedTimestamp?.N)
  return [
    {
      ...indexed,
      finalizedBlock,
      ...(isCount(finalizedTimestamp, MAX_SECONDS) && { finalizedTimestamp }),
    },
  ]
}
