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
      throw unavailableOr(error)
    }
  },
  async readFinality(signal) {
    try {
      const { networks } = await client.status({ signal })
      return new Map(
        networks.flatMap(({ network, finalizedBlock }) =>
          finalizedBlock === undefined ? [] : [[network, finalizedBlock] as const],
        ),
      )
    } catch (error) {
      throw unavailableOr(error)
    }
  },
})

const unavailableOr = (error: unknown) => (isOutage(error) ? new FeedUnavailableError(error) : error)
