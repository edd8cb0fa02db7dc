import type { Network } from '../events/networks.ts'

/** How far one network is indexed, according to the network's writer. */
export interface IndexedThrough {
  network: Network
  /** Every event up to this block is stored. */
  blockNumber: number
  /** The time of block `blockNumber`, in Unix seconds. */
  timestamp: number
  /** The last final block that is stored. Events up to this block no longer change. */
  finalizedBlock?: number | undefined
  /** The time of the final block in Unix seconds, if recorded. */
  finalizedTimestamp?: number | undefined
  /** The block up to which audits have proven that all indexed blocks equal the chain's blocks. */
  auditedThrough?: AuditedThrough | undefined
  /** Notes of when the newest blocks were stored, sorted by block number. Undefined if the writer keeps no notes. */
  notes?: readonly IndexNote[]
}

export interface AuditedThrough {
  blockNumber: number
  /** The block's time, in Unix seconds. */
  timestamp: number
}

/** A note that every event up to block `blockNumber` had been stored by the time `at`. */
export interface IndexNote {
  /** The time in Unix seconds, according to the writer's clock. */
  at: number
  blockNumber: number
  /** The block's time, in Unix seconds. */
  timestamp: number
}

export interface Checkpoints {
  /** The networks that have an indexer, including networks on which no block is indexed yet. */
  written: ReadonlySet<Network>
  indexed: readonly IndexedThrough[]
}

/** The assumed maximum lag of an index. DynamoDB guarantees no limit, but the lag is usually below a second. */
export const INDEX_LAG_SECONDS = 600
/** The assumed maximum difference between the clocks of a writer and a reader. */
export const CLOCK_DIFFERENCE_SECONDS = 120

/**
 * The last block up to which every index is assumed to have all events at the time `now` (Unix seconds). -1 if no note
 * is old enough.
 */
export const settledThrough = (notes: readonly IndexNote[], now: number): number =>
  notes.findLast(({ at }) => at + INDEX_LAG_SECONDS + CLOCK_DIFFERENCE_SECONDS <= now)?.blockNumber ?? -1

/** Networks without a known final block are omitted. */
export const finalThroughOf = (networks: readonly IndexedThrough[]): Map<Network, number> =>
  new Map(
    networks.flatMap(({ network, finalizedBlock }) =>
      finalizedBlock === undefined ? [] : [[network, finalizedBlock] as const],
    ),
  )
