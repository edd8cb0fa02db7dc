import type { ChangePage } from '../../client/changes.ts'
import { CursorExpiredError as ClientCursorExpiredError, isOutage } from '../../client/client-errors.ts'
import type { EventsClient } from '../../client/create-events-client.ts'
import type { EventKind } from '../../events/event-kinds.ts'
import type { Network } from '../../events/networks.ts'
import { explainClientError } from '../../kit/unreachable-reasons.ts'
import { CursorExpiredError, StoreUnavailableError } from '../../query/errors.ts'
import { type AnswerChangesOptions, answerChanges } from '../answer-changes.ts'
import { parseChanges } from '../parse-changes.ts'

/** The filters of a subscription. A change must match all of them. Lists are sorted and contain no duplicates. */
export interface Scope {
  network?: readonly Network[] | undefined
  event?: readonly EventKind[] | undefined
  /** The token contract. */
  address?: readonly string[] | undefined
  /** A user who takes part in an event, in any role. */
  user?: string | undefined
}

export interface FeedQuery extends Scope {
  /** The cursor to resume from. Undefined for the first read, which starts at `from`. */
  cursor: string | undefined
  from: 'beginning' | 'now'
  finalized: true | undefined
  limit: number
}

export type FeedPage = Pick<ChangePage, 'changes' | 'next' | 'isPartial' | 'isUpToDate'>

export interface ChangeFeed {
  /**
   * Resolves with `expired` if the log no longer reaches back to the cursor, or the cursor belongs to another table.
   * Throws `FeedUnavailableError`.
   */
  read(query: FeedQuery, signal: AbortSignal): Promise<FeedPage | 'expired'>
}

/** The feed is temporarily unavailable. It is safe to retry. */
export class FeedUnavailableError extends Error {
  override readonly name = 'FeedUnavailableError'
  readonly code = 'feed-unavailable'

  constructor(cause: Error, reason = cause.message) {
    super(`The feed of changes cannot be read at the moment: ${reason}`, { cause })
  }
}

export const createClientFeed = (client: EventsClient): ChangeFeed => ({
  async read(query, signal) {
    try {
      return await client.changePage(query, { signal })
    } catch (error) {
      if (error instanceof ClientCursorExpiredError) return 'expired'
      throw isOutage(error) ? new FeedUnavailableError(error, explainClientError(error)) : error
    }
  },
})

type FeedStores = Pick<AnswerChangesOptions, 'store' | 'changeStore'>

export const createTableFeed = ({ store, changeStore }: FeedStores): ChangeFeed => ({
  async read(query) {
    try {
      const parsed = parseChanges({ parameters: parametersOf(query), networks: store.networks })
      return await answerChanges(parsed, { store, changeStore })
    } catch (error) {
      if (error instanceof CursorExpiredError) return 'expired'
      throw error instanceof StoreUnavailableError ? new FeedUnavailableError(error) : error
    }
  },
})

function parametersOf({ from, ...query }: FeedQuery): [string, string][] {
  return Object.entries(query.cursor === undefined ? { ...query, from } : query).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, String(value)]),
  )
}
