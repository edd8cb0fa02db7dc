import type { Network } from '../../events/networks.ts'
import { blockDigits } from '../../events/place.ts'
import type { Item } from '../format/event-items.ts'
import { blockTimesList, LIST_KEY, PLACE_KEY } from '../format/keys.ts'
import { type PartitionTable, readPartition } from '../reading/read-partition.ts'
import { deleteItems, putItems } from './put-items.ts'

/**
 * A note is a block's stored time. Places begin with a time, so a read of a range of blocks begins at the time of the
 * last note at or below its first block and ends at the time of the first note at or above its last block. With fewer
 * blocks per note, reads return fewer extra rows, but writes cost more.
 */
export const BLOCKS_PER_NOTE = 1000

/** A final block and its time in Unix seconds. */
export interface BlockTime {
  blockNumber: number
  timestamp: number
}

/**
 * The number of the group that contains the block. Each group has `BLOCKS_PER_NOTE` blocks, and writers store about one
 * note per group.
 */
export const noteOf = (blockNumber: number): number => Math.floor(blockNumber / BLOCKS_PER_NOTE)

export const blockTimeItems = (network: Network, times: readonly BlockTime[]): Item[] =>
  times.map(({ blockNumber, timestamp }) => ({ ...keyOf(network, blockNumber), timestamp }))

const keyOf = (network: Network, blockNumber: number) => ({
  [LIST_KEY]: blockTimesList(network),
  [PLACE_KEY]: blockDigits(blockNumber),
})

/** Resolves with the consumed write units. */
export const putBlockTimes = (
  network: Network,
  times: readonly BlockTime[],
  table: PartitionTable,
): Promise<number> => putItems(blockTimeItems(network, times), table)

type TimesTable = PartitionTable & { network: Network }

export async function deleteBlockTimes(
  blockNumbers: Iterable<number>,
  { network, ...table }: TimesTable,
): Promise<void> {
  const keys = [...new Set(blockNumbers)].map(blockNumber => keyOf(network, blockNumber))
  await deleteItems(keys, table)
}

export async function deleteBlockTimesAbove(blockNumber: number, table: TimesTable): Promise<void> {
  const span = { first: blockDigits(blockNumber + 1), last: '~' }
  for await (const items of readPartition(table, { list: blockTimesList(table.network), span })) {
    await deleteBlockTimes(
      items.map(item => Number(item[PLACE_KEY])),
      table,
    )
  }
}
