import { CursorExpiredError, isOutage } from '../../../client/client-errors.ts'
import type { EventsClient } from '../../../client/create-events-client.ts'
import { type ChangeFeed, FeedUnavailableError } from '../change-feed.ts'

/** Reads the feed of a running service through the typed client. */
export const createClientFeed = (client: EventsClient): ChangeFeed => ({
  async read(query, signal) {
    try {
      return await client.changePage(query, { signal })
    } catch (error) {
      if (error instanceof CursorExpiredError) return 'expired'
      throw isOutage(error) ? new FeedUnavailableError(error) : error
    }
  },
})
