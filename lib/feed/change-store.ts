import type { Network } from '../events/networks.ts'
import type { Place } from '../events/place.ts'
import type { NumberedRevision } from '../events/revision.ts'
import type { CallOptions, StoreCost } from '../query/event-store.ts'
import type { IndexedThrough } from '../query/indexed-through.ts'

/** The reads that the feed of changes needs in addition to `EventStore`. All reads are consistent. */
export interface ChangeStore {
  /** Reads up to `limit` entries of the log in the order of their numbers, starting with number `from`. */
  readRevisions(range: { from: number; limit: number }, options?: CallOptions): Promise<RevisionPage>
  /** Reads up to `limit` of the newest entries of the log, the newest entry first. */
  readNewestRevisions(range: { limit: number }, options?: CallOptions): Promise<RevisionPage>
  /** Reads the frontiers of the networks (see `Frontiers`), and how far each network is indexed. */
  readFrontiers(options?: CallOptions): Promise<FrontierPage>
}

export interface RevisionPage extends StoreCost {
  revisions: NumberedRevision[]
  /** Whether the log has further entries in the direction of reading. */
  isMore: boolean
}

export interface FrontierPage extends StoreCost {
  frontiers: Frontiers
  /** The networks whose last indexer has ended and has finished its work. */
  resting: ReadonlyMap<Network, Resting>
  indexed: readonly IndexedThrough[]
}

export interface Resting {
  /** A number that rises whenever an indexer starts. */
  fence: number
  /** The place of the network's checkpoint. The next indexer starts at this place. */
  place: Place
}

/**
 * The frontier of each network whose indexer is running, or has ended with unfinished work. The frontier is the place
 * up to which the stored events equal the chain's events. After the frontier, events may be added and removed without
 * an entry in the log.
 */
export type Frontiers = ReadonlyMap<Network, Place>
