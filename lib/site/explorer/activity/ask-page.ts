import type { EventPage, EventsClient } from '../../../client/create-events-client.ts'
import type { EventRecord } from '../../../client/records.ts'
import type { EventsRequest } from '../question/request-of.ts'

export interface Asker {
  client: EventsClient
  signal: AbortSignal
}

/** Requests one page of events. */
export const askPage = (
  { endpoint, address, query }: EventsRequest,
  { client, signal }: Asker,
): Promise<EventPage> =>
  endpoint === 'user-events'
    ? client.userEvents(address, query, { signal })
    : client.tokenEvents(query, { signal })

/** Requests all pages of events, one by one. */
export async function* askPages(request: EventsRequest, asker: Asker): AsyncGenerator<EventPage> {
  let cursor: string | undefined
  do {
    const page = await askPage({ ...request, query: { ...request.query, cursor } }, asker)
    yield page
    cursor = page.next
  } while (cursor !== undefined)
}

/**
 * Returns the first event that matches, or undefined if none does. A partial page may be empty although events follow,
 * so further pages are requested until one contains an event.
 */
export async function askFirst(request: EventsRequest, asker: Asker): Promise<EventRecord | undefined> {
  const ofOne = { ...request, query: { ...request.query, limit: 1 } }
  for await (const { records } of askPages(ofOne, asker)) if (records[0]) return records[0]
  return undefined
}

/** The number of matching events. */
export interface Total {
  count: number
  /** Whether the count is exact. If not, more events may match. */
  isExact: boolean
}

/** Counts the matching events. To keep the response short, requests only one record. */
export async function askTotal(request: EventsRequest, asker: Asker): Promise<Total> {
  const { total, totalAtLeast } = await askPage(
    { ...request, query: { ...request.query, count: true, limit: 1 } },
    asker,
  )
  return { count: total ?? totalAtLeast ?? 0, isExact: total !== undefined }
}
