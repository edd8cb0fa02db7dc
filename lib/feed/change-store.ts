import type { Network } from '../events/networks.ts'
import type { Place } from '../events/place.ts'
import type { NumberedRevision } from '../events/revision.ts'
import type { CallOptions, StoreCost } from '../query/event-store.ts'
import type { IndexedThrough } from '../query/indexed-through.ts'

/** The reads that the feed of changes needs in addition to `EventStore`. All of them are strongly consistent. */
export interface ChangeStore {
  /** Identifies tables of this name without revealing the name. */
  table: string
  /** Resolves with entries in ascending order of their numbers, starting with `from`. */
  readRevisions(range: { from: number; limit: number }, options?: CallOptions): Promise<RevisionPage>
  /** The newest entry, or the newest with a number below `before`, comes first. */
  readNewestRevisions(
    range: { before?: number | undefined; limit: number },
    options?: CallOptions,
  ): Promise<RevisionPage>
  readFrontiers(options?: CallOptions): Promise<FrontierPage>
}

export interface RevisionPage extends StoreCost {
  revisions: NumberedRevision[]
  /** Whether the log may have further entries in the direction of reading. */
  isMore: boolean
}

export interface FrontierPage extends StoreCost {
  frontiers: Frontiers
  /** The networks that have no lease yet, and those whose last indexer has finished its work and ended. */
  resting: ReadonlyMap<Network, Resting>
  indexed: readonly IndexedThrough[]
}

interface Resting {
  /** A number that increases whenever a writer acquires the network's lease. */
  fence: number
  /** The place of the network's checkpoint, where the next indexer starts. */
  place: Place
}

/**
 * The frontier of each network whose indexer is running or has left unfinished work: the place up to which the
 * network's events are stored completely. After this place, events may come and go without an entry in the log.
 */
export type Frontiers = ReadonlyMap<Network, Place>
