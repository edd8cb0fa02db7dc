import * as z from 'zod/mini'
import type { Network } from '../../events/networks.ts'
import { blockDigits } from '../../events/place.ts'
import type { EventRecord } from '../../events/record.ts'
import { countSchema, hashSchema } from '../../events/record-fields.ts'
import { cutBatches, type EventTable } from '../event-table.ts'
import { chunkPlace, type Item, itemsOf } from '../format/event-items.ts'
import { LIST_KEY, PLACE_KEY } from '../format/keys.ts'
import { eachItem, type PartitionTable } from '../reading/read-partition.ts'
import { deleteItems, putItems } from './put-items.ts'

/** A block is stored before its events, so an orphaned block's events can be found even if the writer has died. */
export const recentBlockSchema = z.object({
  blockNumber: countSchema,
  blockHash: hashSchema,
  parentHash: hashSchema,
  /** The block's time, in Unix seconds. */
  timestamp: countSchema,
  /** For each event that has chunks, the partition of the chunks and their number. */
  chunkLists: z.array(z.object({ list: z.string(), chunks: countSchema })),
})

export type RecentBlock = z.infer<typeof recentBlockSchema>

export interface RecentBlocksTable extends PartitionTable, Pick<EventTable, 'networks'> {
  network: Network
}

export const recentBlocksList = (network: Network) => `blocks@${network}`

/**
 * An item has at most this many `chunkLists`, because each takes about 180 bytes, and DynamoDB limits items to 400 KB.
 */
const LISTS_IN_ITEM = 1000

/**
 * Most blocks have one item, but a block with very many chunked events has several items, each with different lists.
 */
function itemsOfBlock(network: Network, block: RecentBlock) {
  const [first = [], ...others] = cutBatches(block.chunkLists, LISTS_IN_ITEM)
  return [first, ...others].map((chunkLists, index) => ({
    [LIST_KEY]: recentBlocksList(network),
    [PLACE_KEY]: `${placeIn(block)}${index === 0 ? '' : `#${chunkPlace(index)}`}`,
    ...block,
    chunkLists,
  }))
}

/** The place includes the hash, because until an orphaned block is removed, it shares its number with another block. */
const placeIn = ({ blockNumber, blockHash }: RecentBlock) => `${blockDigits(blockNumber)}#${blockHash}`

/** Resolves with the blocks in ascending order of their numbers. */
export async function readRecentBlocks(table: RecentBlocksTable): Promise<RecentBlock[]> {
  const blocks = new Map<string, RecentBlock>()
  for await (const item of eachItem(table, { list: recentBlocksList(table.network) })) {
    const block = recentBlockSchema.parse(item)
    const known = blocks.get(block.blockHash)
    blocks.set(block.blockHash, known ? addChunkLists(known, block.chunkLists) : block)
  }
  return [...blocks.values()]
}

/** False if a remembered block is above the checkpoint, because an orphaned block's events must still be removed. */
export const isAtRest = (
  recent: readonly RecentBlock[],
  checkpoint: Pick<RecentBlock, 'blockNumber'> | undefined,
): boolean => recent.every(({ blockNumber }) => blockNumber <= (checkpoint?.blockNumber ?? -1))

/**
 * Before a checkpoint moves back, its block must be remembered. If the writer then dies before it has announced its
 * changes, the next indexer finds a remembered block above the checkpoint, and announces the changes.
 */
export const checkpointToRemember = (
  { blockNumber, blockHash, timestamp }: Pick<RecentBlock, 'blockNumber' | 'blockHash' | 'timestamp'>,
  known: readonly RecentBlock[],
): RecentBlock[] =>
  known.some(block => block.blockHash === blockHash)
    ? []
    : [{ blockNumber, blockHash, parentHash: blockHash, timestamp, chunkLists: [] }]

/**
 * Whether the remembered block comes from data in the table and not from a node. Such blocks are remembered before a
 * checkpoint moves back below them. Unlike blocks at the head, they may contain events of a load.
 */
export const isFromTable = ({ blockHash, parentHash }: RecentBlock): boolean => parentHash === blockHash

/** Returns the lists of chunks, which are stored with the records' block, so that all of its chunks can be found. */
export function chunkListsOf(records: readonly EventRecord[]): RecentBlock['chunkLists'] {
  return records.flatMap(record => {
    const { chunks } = itemsOf(record)
    const list = chunks[0]?.[LIST_KEY]
    return typeof list === 'string' ? [{ list, chunks: chunks.length }] : []
  })
}

/** Keeps every known list, because the chunks of a forgotten list could no longer be found. */
export function addChunkLists(block: RecentBlock, chunkLists: RecentBlock['chunkLists']): RecentBlock {
  const known = new Set(block.chunkLists.map(({ list }) => list))
  return { ...block, chunkLists: [...block.chunkLists, ...chunkLists.filter(({ list }) => !known.has(list))] }
}

export async function putRecentBlocks(blocks: readonly RecentBlock[], table: RecentBlocksTable) {
  const items = blocks.flatMap(block => itemsOfBlock(table.network, block))
  await putItems(items, table)
}

/** The blocks must be final, or orphaned with all their events already removed. */
export async function deleteRecentBlocks(blocks: readonly RecentBlock[], table: RecentBlocksTable) {
  const list = recentBlocksList(table.network)
  const keys: Item[] = []
  for (const block of blocks) {
    const first = placeIn(block)
    if (block.chunkLists.length === 0) keys.push({ [LIST_KEY]: list, [PLACE_KEY]: first })
    // The stored items are read, because a killed writer may have stored or deleted only some of them.
    else
      for await (const item of eachItem(table, { list, span: { first, last: `${first}~` } }))
        keys.push({ [LIST_KEY]: list, [PLACE_KEY]: item[PLACE_KEY] })
  }
  await deleteItems(keys, table)
}
