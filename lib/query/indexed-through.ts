import type { Network } from '../events/networks.ts'
import type { StoreCost } from './store-cost.ts'

/** How far one network's events are in the store, as its writer has recorded it. */
export interface IndexedThrough {
  network: Network
  /** Every event up to this block is stored. */
  blockNumber: number
  /** That block's time, in Unix seconds. */
  timestamp: number
  /** Up to this block, which is stored as well, no event can be added or taken away any more. */
  finalizedBlock?: number | undefined
  /** The time of the finalized block, in Unix seconds, where it is recorded. */
  finalizedTimestamp?: number | undefined
  /** Since when its newest blocks are stored, by rising block; none where the writer does not note it. */
  notes?: readonly IndexNote[]
}

/** At this moment every event up to this block was stored. */
export interface IndexNote {
  /** The moment in Unix seconds, by the writer's clock. */
  at: number
  blockNumber: number
  /** The block's time, in Unix seconds. */
  timestamp: number
}

/** How far networks are indexed at this moment. */
export interface Checkpoints {
  /** Networks that an indexer writes, also where no block of theirs is indexed yet. */
  written: ReadonlySet<Network>
  indexed: readonly IndexedThrough[]
}

/** An index of the table has what was stored so long ago. DynamoDB promises no limit; it mostly takes less than a second. */
export const INDEX_LAG_SECONDS = 600
/** So much a writer's clock may differ from a reader's. */
export const CLOCK_DIFFERENCE_SECONDS = 120

/** Tells how far the networks are indexed; of those whose writer doesn't record it, nothing. */
export type ReadIndexedThrough = () => Promise<StoreCost & { networks: IndexedThrough[] }>

/** Up to which block networks are final; of those that are left out, nobody tells. */
export const finalThroughOf = (networks: readonly IndexedThrough[]): Map<Network, number> =>
  new Map(
    networks.flatMap(({ network, finalizedBlock }) =>
      finalizedBlock === undefined ? [] : [[network, finalizedBlock] as const],
    ),
  )
