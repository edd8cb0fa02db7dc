import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { countSchema, hashSchema } from '../events/field-schemas.ts'
import type { Network } from '../events/networks.ts'
import { BLOCK_DIGITS } from '../events/place.ts'
import { cutBatches } from './cut-batches.ts'
import { LIST_KEY, PLACE_KEY } from './keys.ts'
import { deleteItems, MAX_BATCH_ITEMS, putItems } from './put-items.ts'
import { readPartition } from './read-partition.ts'
import { tryAgain } from './try-again.ts'

/**
 * A block that may still leave the chain. It is stored before any of its events, so that whatever
 * becomes of the writer, no event of an orphaned block can be in the table without being found.
 */
export const recentBlockSchema = z.object({
  blockNumber: countSchema,
  blockHash: hashSchema,
  parentHash: hashSchema,
  /** The block's time, in Unix seconds. */
  timestamp: countSchema,
  /** The events of the block that keep chunks: their chunks' partitions and how many they are. */
  chunkLists: z.array(z.object({ list: z.string(), chunks: countSchema })),
})

export type RecentBlock = z.infer<typeof recentBlockSchema>

export interface RecentBlocksTable {
  client: DynamoDBDocumentClient
  tableName: string
  network: Network
  signal?: AbortSignal | undefined
}

/** The partition of a network's recent blocks. */
export const recentBlocksList = (network: Network) => `blocks@${network}`

const keyOf = (network: Network, { blockNumber, blockHash }: RecentBlock) => ({
  [LIST_KEY]: recentBlocksList(network),
  // With the hash: until an orphan is cleared away, two blocks of one number are remembered.
  [PLACE_KEY]: `${String(blockNumber).padStart(BLOCK_DIGITS, '0')}#${blockHash}`,
})

/** All blocks that are remembered, by rising number. */
export async function readRecentBlocks(table: RecentBlocksTable): Promise<RecentBlock[]> {
  const { client, tableName, network } = table
  const pages = readPartition({ tableName, list: recentBlocksList(network) }, query =>
    tryAgain(() => client.send(new QueryCommand(query)), table),
  )
  const blocks: RecentBlock[] = []
  for await (const items of pages) blocks.push(...items.map(item => recentBlockSchema.parse(item)))
  return blocks
}

/** Remembers blocks; resolves once all are stored. */
export async function putRecentBlocks(blocks: readonly RecentBlock[], table: RecentBlocksTable) {
  const items = blocks.map(block => ({ ...keyOf(table.network, block), ...block }))
  for (const batch of cutBatches(items, MAX_BATCH_ITEMS)) await putItems(batch, table)
}

/** Forgets blocks: those that can no longer leave the chain, and orphans whose events are removed. */
export async function deleteRecentBlocks(blocks: readonly RecentBlock[], table: RecentBlocksTable) {
  const keys = blocks.map(block => keyOf(table.network, block))
  for (const batch of cutBatches(keys, MAX_BATCH_ITEMS)) await deleteItems(batch, table)
}
