import { CursorExpiredError, StoreUnavailableError } from '../../../query/errors.ts'
import type { EventStore } from '../../../query/event-store.ts'
import { answerChanges } from '../../answer-changes.ts'
import type { ChangeStore } from '../../change-store.ts'
import { parseChanges } from '../../parse-changes.ts'
import { type ChangeFeed, type FeedQuery, FeedUnavailableError } from '../change-feed.ts'

interface FeedStores {
  store: EventStore
  changeStore: ChangeStore
}

/** Reads the feed from the table, by the same code as the service. */
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

/** The query as URL parameters of `/v1/changes`. */
function parametersOf({ from, ...query }: FeedQuery): [string, string][] {
  const given = query.cursor === undefined ? { ...query, from } : query
  return Object.entries(given).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, String(value)]),
  )
}
