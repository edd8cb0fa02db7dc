import type { Network } from '../events/networks.ts'

/** How far one network is indexed, as the network's writer recorded it. */
export interface IndexedThrough {
  network: Network
  /** Every event up to this block is stored. */
  blockNumber: number
  /** The time of block `blockNumber`, in Unix seconds. */
  timestamp: number
  /** The last finalized block that is stored. Events up to this block no longer change. */
  finalizedBlock?: number | undefined
  /** The time of the finalized block in Unix seconds, if recorded. */
  finalizedTimestamp?: number | undefined
  /**
   * The last audited block. The audit has proven that all blocks from the first indexed block to this block equal the
   * chain's blocks.
   */
  auditedThrough?: AuditedThrough | undefined
  /** Notes of when the newest blocks were stored, sorted by block number. Undefined if the writer keeps no notes. */
  notes?: readonly IndexNote[]
}

export interface AuditedThrough {
  blockNumber: number
  /** The block's time, in Unix seconds. */
  timestamp: number
}

/** A note that every event up to block `blockNumber` was stored at the time `at`. */
export interface IndexNote {
  /** In Unix seconds, by the writer's clock. */
  at: number
  blockNumber: number
  /** The block's time, in Unix seconds. */
  timestamp: number
}

/** How far each network is indexed at the time of the read. */
export interface Checkpoints {
  /** The networks that have an indexer, including networks on which no block is indexed yet. */
  written: ReadonlySet<Network>
  indexed: readonly IndexedThrough[]
}

/**
 * The assumed maximum lag of an index behind the table. DynamoDB promises no limit, but the lag is mostly below a
 * second.
 */
export const INDEX_LAG_SECONDS = 600
/** The assumed maximum difference between the clocks of a writer and a reader. */
export const CLOCK_DIFFERENCE_SECONDS = 120

/**
 * The block up to which every index surely has all events at the time `now` (Unix seconds), unless the clocks of writer
 * and reader differ by more than `CLOCK_DIFFERENCE_SECONDS`. -1 if no note is old enough.
 */
export const settledThrough = (notes: readonly IndexNote[], now: number): number =>
  notes.findLast(({ at }) => at + INDEX_LAG_SECONDS + CLOCK_DIFFERENCE_SECONDS <= now)?.blockNumber ?? -1

/** The last finalized block of each network. Networks whose finality is unknown are left out. */
export const finalThroughOf = (networks: readonly IndexedThrough[]): Map<Network, number> =>
  new Map(
    networks.flatMap(({ network, finalizedBlock }) =>
      finalizedBlock === undefined ? [] : [[network, finalizedBlock] as const],
    ),
  )
