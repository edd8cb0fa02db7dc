import type { EventPage, EventsClient } from '../../../client/create-events-client.ts'
import type { EventRecord } from '../../../client/records.ts'
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

/** Reads all pages of the request's events. */
export async function* askPages(request: EventsRequest, asker: Asker): AsyncGenerator<EventPage> {
  let cursor: string | undefined
  do {
    const page = await askPage({ ...request, query: { ...request.query, cursor } }, asker)
    yield page
    cursor = page.next
  } while (cursor !== undefined)
}

/**
 * The first event of a request. Undefined if there is none. A partial page may be empty although events follow, so the
 * next pages are read until one has an event.
 */
export async function askFirst(request: EventsRequest, asker: Asker): Promise<EventRecord | undefined> {
  const ofOne = { ...request, query: { ...request.query, limit: 1 } }
  for await (const { records } of askPages(ofOne, asker)) if (records[0]) return records[0]
  return undefined
}

/** The number of matching events. */
export interface Total {
  count: number
  /** Whether the count is exact. If false, more events may match. */
  isExact: boolean
}

/** Counts the matching events. In addition to the count, the answer has at most one record. */
export async function askTotal(request: EventsRequest, asker: Asker): Promise<Total> {
  const { total, totalAtLeast } = await askPage(
    { ...request, query: { ...request.query, count: true, limit: 1 } },
    asker,
  )
  return { count: total ?? totalAtLeast ?? 0, isExact: total !== undefined }
}
