import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Network } from '../../events/networks.ts'
import type { Checkpoint } from '../../store/checkpoint.ts'
import type { Lease } from '../../store/hold-lease.ts'
import { noteIndexed } from '../../store/indexed-since.ts'
import type { RecentBlock } from '../../store/recent-blocks.ts'
import type { BlockHeader } from '../chain/block-header.ts'
import type { ChainReader } from '../chain/read-chain.ts'
import type { EventDecoders } from '../event-decoders.ts'

/** What the steps of indexing one network share. */
export interface IndexSession {
  network: Network
  reader: ChainReader
  /** The events that are indexed. */
  decoders: EventDecoders
  lease: Lease
  /** Writes only while the lease is held. */
  client: DynamoDBDocumentClient
  tableName: string
  changesKeptDays: number | undefined
  /** Milliseconds since 1970. */
  now: () => number
  /** Begin nothing new, and end soon. */
  stop: AbortSignal
  /** End at once, in the middle of writing if need be. */
  abort: AbortSignal
  counts: IndexCounts
  /** Where the network stands, in memory as in the table. */
  state: {
    checkpoint: Checkpoint | undefined
    /** The blocks that are remembered in the table. */
    recent: RecentBlock[]
    /** The newest block that can no longer leave the chain, where its header is known. */
    final?: Pick<BlockHeader, 'number' | 'timestamp'> | undefined
  }
  onProgress: () => void
  onReorganised: (reorganisation: Reorganisation) => void
}

/** What was indexed has left the chain. */
export interface Reorganisation {
  /** How many indexed blocks are no longer on the chain. */
  depth: number
  /** The newest indexed block that still is; the one before the first where none is. */
  blockNumber: number
  /** How many of their events were removed. */
  removed: number
}

export interface IndexCounts {
  blocks: number
  events: number
  /** Events of blocks that left the chain. */
  removed: number
  /** Logs of other events than the known ones, such as with other indexed parameters. */
  rejected: number
  writeUnits: number
}

/** Stores that everything up to a block is in the table. */
export async function moveCheckpoint(session: IndexSession, block: CheckpointBlock, finalBlock: number) {
  const { checkpoint: before, final } = session.state
  const finalizedBlock = Math.max(finalBlock, before?.finalizedBlock ?? -1)
  const finalizedTimestamp =
    finalizedBlock === final?.number
      ? final.timestamp
      : finalizedBlock === before?.finalizedBlock
        ? before.finalizedTimestamp
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

/** Whether a block comes directly behind all that is in the table. */
export const followsOnCheckpoint = ({ state: { checkpoint } }: IndexSession, { parentHash }: BlockHeader) =>
  checkpoint === undefined || parentHash === checkpoint.blockHash

export type CheckpointBlock = Pick<BlockHeader, 'number' | 'hash' | 'timestamp'>

/** Where the store's functions about recent blocks work. */
export const recentTableOf = ({ client, tableName, network, abort }: IndexSession) => ({
  client,
  tableName,
  network,
  signal: abort,
})
