import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Network } from '../events/networks.ts'
import { blockDigits } from '../events/place.ts'
import { cutBatches } from './cut-batches.ts'
import type { Item } from './item.ts'
import { blockTimesList, LIST_KEY, PLACE_KEY } from './keys.ts'
import { MAX_BATCH_ITEMS, putItems } from './put-items.ts'

/**
 * One block in so many is noted, of those in which something is stored. A span of blocks is read from the noted block
 * before it to the one behind it, so this bounds what is read in vain; and a note costs one write unit.
 */
export const BLOCKS_PER_NOTE = 1000

/** A block that can no longer leave its chain, and its time in Unix seconds. */
export interface BlockTime {
  blockNumber: number
  timestamp: number
}

/** Which of the groups of blocks that get one note each a block is in. */
export const noteOf = (blockNumber: number): number => Math.floor(blockNumber / BLOCKS_PER_NOTE)

export const blockTimeItems = (network: Network, times: readonly BlockTime[]): Item[] =>
  times.map(({ blockNumber, timestamp }) => ({
    [LIST_KEY]: blockTimesList(network),
    [PLACE_KEY]: blockDigits(blockNumber),
    timestamp,
  }))

interface TimesTable {
  client: DynamoDBDocumentClient
  tableName: string
  signal?: AbortSignal | undefined
}

/** Notes the times of blocks; resolves with the write units once all are stored. */
export async function putBlockTimes(
  network: Network,
  times: readonly BlockTime[],
  table: TimesTable,
): Promise<number> {
  let writeUnits = 0
  for (const batch of cutBatches(blockTimeItems(network, times), MAX_BATCH_ITEMS))
    writeUnits += await putItems(batch, table)
  return writeUnits
}
