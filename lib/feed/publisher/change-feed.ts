import type { Change } from '../../client/changes.ts'
import type { EventKind } from '../../events/event-kinds.ts'
import type { Network } from '../../events/networks.ts'

/** The filters of a subscription. A change must match every given filter. Lists are sorted and have no duplicates. */
export interface Scope {
  network?: readonly Network[] | undefined
  event?: readonly EventKind[] | undefined
  /** The token contract. */
  address?: readonly string[] | undefined
  /** A user who may have any role in an event. */
  user?: string | undefined
}

export interface FeedQuery extends Scope {
  /** The cursor to resume from. Undefined for the first read, which starts at `from`. */
  cursor: string | undefined
  from: 'beginning' | 'now'
  /** Whether only events of final blocks are wanted. */
  finalized: true | undefined
  limit: number
}

export interface FeedPage {
  /** In the order in which a receiver must apply the changes. */
  changes: readonly Change[]
  /** The cursor of the next page. */
  next: string
  /** Whether the page is empty because the feed has no more changes for now. */
  isUpToDate: boolean
}

/** The feed of changes that the publisher reads, over HTTP or from the table. */
export interface ChangeFeed {
  /**
   * Reads one page. Returns `expired` if the cursor is older than the log of removals. Throws `FeedUnavailableError`.
   */
  read(query: FeedQuery, signal: AbortSignal): Promise<FeedPage | 'expired'>
}

/** The feed is unavailable at the moment. A retry is safe. */
export class FeedUnavailableError extends Error {
  override readonly name = 'FeedUnavailableError'
  readonly code = 'feed-unavailable'

  constructor(cause: Error) {
    super(`The feed of changes cannot be read at the moment: ${cause.message}`, { cause })
  }
}
