import type { EventPage, EventsClient } from '../../../client/create-events-client.ts'
import type { EventsRequest } from '../question/request-of.ts'

export interface Asker {
  client: EventsClient
  signal: AbortSignal
}

/** Reads one page of the request's events. */
export const askPage = (
  { endpoint, address, query }: EventsRequest,
  { client, signal }: Asker,
): Promise<EventPage> =>
  endpoint === 'user-events'
    ? client.userEvents(address, query, { signal })
    : client.tokenEvents(query, { signal })

/** The number of matching events. */
export interface Total {
  count: number
  /** Whether the count is exact. If false, more events may match. */
  isExact: boolean
}

/** Counts the matching events. Besides the count, the answer has no more than one record. */
export async function askTotal(request: EventsRequest, asker: Asker): Promise<Total> {
  const { total, totalAtLeast } = await askPage(
    { ...request, query: { ...request.query, count: true, limit: 1 } },
    asker,
  )
  return { count: total ?? totalAtLeast ?? 0, isExact: total !== undefined }
}
