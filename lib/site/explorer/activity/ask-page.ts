import type { EventPage, EventsClient } from '../../../client/create-events-client.ts'
import type { EventRecord } from '../../../client/records.ts'
import type { EventsRequest } from '../question/request-of.ts'

export interface Asker {
  client: EventsClient
  signal: AbortSignal
}

export const askPage = (
  { endpoint, address, query }: EventsRequest,
  { client, signal }: Asker,
): Promise<EventPage> =>
  endpoint === 'user-events'
    ? client.userEvents(address, query, { signal })
    : client.tokenEvents(query, { signal })

export async function* askPages(request: EventsRequest, asker: Asker): AsyncGenerator<EventPage> {
  let cursor: string | undefined
  do {
    const page = await askPage({ ...request, query: { ...request.query, cursor } }, asker)
    yield page
    cursor = page.next
  } while (cursor !== undefined)
}

/** A partial page may be empty although events follow, so pages are requested until a page contains an event. */
export async function askFirst(request: EventsRequest, asker: Asker): Promise<EventRecord | undefined> {
  const ofOne = { ...request, query: { ...request.query, limit: 1 } }
  for await (const { records } of askPages(ofOne, asker)) if (records[0]) return records[0]
  return undefined
}

export interface Total {
  count: number
  /** If false, more events may match. */
  isExact: boolean
}

/** Requests only one record, to keep the response short. */
export async function askTotal(request: EventsRequest, asker: Asker): Promise<Total> {
  const { total, totalAtLeast } = await askPage(
    { ...request, query: { ...request.query, count: true, limit: 1 } },
    asker,
  )
  return { count: total ?? totalAtLeast ?? 0, isExact: total !== undefined }
}
