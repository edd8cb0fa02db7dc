import type { Network } from '../../events/networks.ts'
import type { Place } from '../../events/place.ts'
import type { Rewind } from '../../events/rewind.ts'
import type { CallOptions } from '../event-store.ts'
import type { IndexedThrough } from '../indexed-through.ts'
import type { StoreCost } from '../store-cost.ts'

/** An entry of the log of rewinds. Numbers begin with 1 and leave out none; old entries are deleted after some time. */
export interface NumberedRewind extends Rewind {
  number: number
}

/**
 * What the feed of changes asks of a store beside events. What it answers is what the store holds at that moment, and
 * not a moment ago.
 */
export interface ChangeStore {
  /** So many entries of the log at most, by rising number from this one on. */
  readRewinds(range: { from: number; limit: number }, options?: CallOptions): Promise<RewindPage>
  /** The newest entries of the log, so many at most, the newest first. */
  readNewestRewinds(range: { limit: number }, options?: CallOptions): Promise<RewindPage>
  /** Up to where the events of networks are settled, and how far they are indexed, as far as that is recorded. */
  readFrontiers(options?: CallOptions): Promise<FrontierPage>
}

export interface RewindPage extends StoreCost {
  rewinds: NumberedRewind[]
  /** Whether the log goes on behind them. */
  isMore: boolean
}

export interface FrontierPage extends StoreCost {
  frontiers: Frontiers
  /** Networks whose last indexer has left nothing unfinished. */
  resting: ReadonlyMap<Network, Resting>
  indexed: readonly IndexedThrough[]
}

export interface Resting {
  /** Rises whenever an indexer begins. */
  fence: number
  /** The end of what is indexed: where the next indexer begins. */
  place: Place
}

/**
 * By network that an indexer is at work on, the place up to which all of its events are stored, and no other. Behind it
 * events may come and go without a word in the log.
 */
export type Frontiers = ReadonlyMap<Network, Place>
