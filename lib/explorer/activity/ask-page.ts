import type { EventPage, EventsClient } from '../../client/create-events-client.ts'
import type { EventsRequest } from '../question/request-of.ts'

export interface Asker {
  client: EventsClient
  signal: AbortSignal
}

/** One page of what the request asks for. */
export const askPage = (
  { endpoint, address, query }: EventsRequest,
  { client, signal }: Asker,
): Promise<EventPage> =>
  endpoint === 'user-events'
    ? client.userEvents(address, query, { signal })
    : client.tokenEvents(query, { signal })

/** How many events match. */
export interface Total {
  count: number
  /** Otherwise there may be more. */
  isExact: boolean
}

/** Asks how many events match, and for as few of them as can be. */
export async function askTotal(request: EventsRequest, asker: Asker): Promise<Total> {
  const { total, totalAtLeast } = await askPage(
    { ...request, query: { ...request.query, count: true, limit: 1 } },
    asker,
  )
  return { count: total ?? totalAtLeast ?? 0, isExact: total !== undefined }
}
