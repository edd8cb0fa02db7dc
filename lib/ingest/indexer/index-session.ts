import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { EventDecoders } from '../../chain/logs/event-decoders.ts'
import type { BlockHeader } from '../../chain/nodes/block-header.ts'
import type { ChainReader } from '../../chain/nodes/read-chain.ts'
import type { ProofLevel } from '../../chain/nodes/read-proven-logs.ts'
import type { Network } from '../../events/networks.ts'
import type { Checkpoint } from '../../store/format/checkpoint.ts'
import { noteIndexed } from '../../store/format/indexed-since.ts'
import type { Lease } from '../../store/leases/hold-lease.ts'
import type { RecentBlock, RecentBlocksTable } from '../../store/writing/recent-blocks.ts'

export interface IndexSession {
  network: Network
  reader: ChainReader
  proof: ProofLevel
  decoders: EventDecoders
  lease: Lease
  /** A client that sends writes only while the lease is held. */
  writer: DynamoDBClient
  /** The table, with a document client of `writer`, and with `abort` as its signal. */
  table: RecentBlocksTable
  changesKeptDays: number | undefined
  /** Milliseconds since 1970. */
  now: () => number
  /** Aborts when the session must start no new work and must end soon. */
  stop: AbortSignal
  /** Aborts when the session must end immediately, even during a write. */
  abort: AbortSignal
  counts: IndexCounts
  /** A copy of the network's state in the table. */
  state: {
    checkpoint: Checkpoint | undefined
    recent: RecentBlock[]
    /** The newest final block whose header is known. */
    final?: Pick<BlockHeader, 'number' | 'timestamp'> | undefined
  }
  onProgress: () => void
  onReorganised: (reorganisation: Reorganisation) => void
}

export interface Reorganisation {
  /** The number of indexed blocks that have left the chain. */
  depth: number
  /**
   * The newest indexed block still on the chain. If there is no such block, the block below the first block to index.
   */
  blockNumber: number
  /** The number of events that were removed because their blocks left the chain. */
  removed: number
}

export interface IndexCounts {
  blocks: number
  events: number
  removed: number
  /** The number of logs that could not be decoded, for example because their contract indexes different parameters. */
  rejected: number
  writeUnits: number
}

/**
 * All events up to the block must be in the table. While a remembered block is above the checkpoint, no further block
 * above the checkpoint is stored as final. Otherwise, the remembered block would count as final, although it may be
 * orphaned.
 */
export async function moveCheckpoint(session: IndexSession, block: CheckpointBlock, finalBlock: number) {
  const { checkpoint: before, final, recent } = session.state
  const hasAbove = recent.some(({ blockNumber }) => blockNumber > block.number)
  const newest = hasAbove ? Math.min(finalBlock, block.number) : finalBlock
  const finalizedBlock = Math.max(newest, before?.finalizedBlock ?? -1)
  const finalizedTimestamp =
    finalizedBlock === final?.number
      ? final.timestamp
      : finalizedBlock === before?.finalizedBlock
        ? before.finalizedTimestamp
        : finalizedBlock === block.number
          ? block.timestamp
          : undefined
  const moved = { blockNumber: block.number, blockHash: block.hash, timestamp: block.timestamp }
  const checkpoint: Checkpoint = {
    ...moved,
    indexedSince: noteIndexed(before, moved, session.now()),
    ...(finalizedBlock >= 0 && { finalizedBlock }),
    ...(finalizedTimestamp !== undefined && { finalizedTimestamp }),
  }
  await session.lease.moveCheckpoint(checkpoint, session.abort)
  session.state.checkpoint = checkpoint
}

/** Whether the block's parent is the checkpoint's block, or no checkpoint exists. */
export const followsOnCheckpoint = ({ state: { checkpoint } }: IndexSession, { parentHash }: BlockHeader) =>
  checkpoint === undefined || parentHash === checkpoint.blockHash

export type CheckpointBlock = Pick<BlockHeader, 'number' | 'hash' | 'timestamp'>
