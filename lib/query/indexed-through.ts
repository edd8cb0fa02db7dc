import type { Network } from '../events/networks.ts'
import type { StoreCost } from './event-store.ts'

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
}

/** Tells how far the networks are indexed; of those whose writer doesn't record it, nothing. */
export type ReadIndexedThrough = () => Promise<StoreCost & { networks: IndexedThrough[] }>

/** Up to which block networks are final; of those that are left out, nobody tells. */
export const finalThroughOf = (networks: readonly IndexedThrough[]): Map<Network, number> =>
  new Map(
    networks.flatMap(({ network, finalizedBlock }) =>
      finalizedBlock === undefined ? [] : [[network, finalizedBlock] as const],
    ),
  )
