import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import type { Network } from '../events/networks.ts'
import { BLOCK_DIGITS } from '../events/place.ts'
import { LIST_KEY, PLACE_KEY } from './keys.ts'
import { deleteItems, MAX_BATCH_ITEMS, putItems } from './put-items.ts'
import { tryAgain } from './try-again.ts'

const count = z.int().check(z.minimum(0))
const hash = z.string().check(z.regex(/^0x[0-9a-f]{64}$/))

/**
 * A block that may still leave the chain. It is stored before any of its events, so that whatever
 * becomes of the writer, no event of an orphaned block can be in the table without being found.
 */
export const recentBlockSchema = z.object({
  blockNumber: count,
  blockHash: hash,
  parentHash: hash,
  /** The block's time, in Unix seconds. */
  timestamp: count,
  /** The events of the block that keep chunks: their chunks' partitions and how many they are. */
  chunkLists: z.array(z.object({ list: z.string(), chunks: count })),
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
  const blocks: RecentBlock[] = []
  let after: Record<string, unknown> | undefined
  do {
    const command = new QueryCommand({
      TableName: table.tableName,
      KeyConditionExpression: '#list = :list',
      ExpressionAttributeNames: { '#list': LIST_KEY },
      ExpressionAttributeValues: { ':list': recentBlocksList(table.network) },
      ConsistentRead: true,
      ExclusiveStartKey: after,
    })
    const page = await tryAgain(() => table.client.send(command), table)
    blocks.push(...(page.Items ?? []).map(item => recentBlockSchema.parse(item)))
    after = page.LastEvaluatedKey
  } while (after)
  return blocks
}

/** Remembers blocks; resolves once all are stored. */
export async function putRecentBlocks(blocks: readonly RecentBlock[], table: RecentBlocksTable) {
  await inBatches(blocks, batch =>
    putItems(
      batch.map(block => ({ ...keyOf(table.network, block), ...block })),
      table,
    ),
  )
}

/** Forgets blocks: those that can no longer leave the chain, and orphans whose events are removed. */
export async function deleteRecentBlocks(blocks: readonly RecentBlock[], table: RecentBlocksTable) {
  await inBatches(blocks, batch =>
    deleteItems(
      batch.map(block => keyOf(table.network, block)),
      table,
    ),
  )
}

async function inBatches<T>(all: readonly T[], send: (batch: readonly T[]) => Promise<unknown>) {
  for (let start = 0; start < all.length; start += MAX_BATCH_ITEMS) {
    await send(all.slice(start, start + MAX_BATCH_ITEMS))
  }
}
