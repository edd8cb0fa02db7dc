import {
  createEventsClient,
  type EventPage,
  type EventsClient,
} from '../../../lib/client/create-events-client.ts'
import { compareByBlock, compareByTime, placeOf } from '../../../lib/events/place.ts'
import { type EventRecord, eventRecordSchema } from '../../../lib/events/record.ts'
import { type SendRequest, type ServiceOptions, serviceRequests } from '../shared/service-requests.ts'

/** The service that is checked, and an event of it to ask about. */
export interface Service {
  client: EventsClient
  /** Sends a request as a browser's page of another origin does, and nothing again. */
  request: SendRequest
  /** The newest event. Throws when there is none. */
  sample(): Promise<EventRecord>
}

const RETRIES = 1

export function serviceAt(baseUrl: string, options: ServiceOptions): Service {
  const { timeoutMs, authorize } = options
  const client = createEventsClient(baseUrl, { retries: RETRIES, timeoutMs, ...(authorize && { authorize }) })
  let newest: Promise<EventRecord> | undefined
  return {
    client,
    request: serviceRequests(baseUrl, options),
    sample() {
      newest ??= client.tokenEvents({ limit: 1 }).then(({ records: [record] }) => {
        if (!record) throw new Error('there are no events to ask about')
        return record
      })
      return newest
    },
  }
}

/** The records of a page, each of which is a record as documented. Throws naming the first that is not. */
export function recordsOf({ records }: Pick<EventPage, 'records'>): EventRecord[] {
  for (const record of records) {
    const { error } = eventRecordSchema.safeParse(record)
    if (!error) continue
    const { path = [], message = '' } = error.issues[0] ?? {}
    throw new Error(`${record.id ?? 'a record'} is not as documented: ${path.join('.')} ${message}`)
  }
  return records
}

export type OrderKey = 'createdAt' | 'blockNumber'

/** Throws unless each record stands behind the one before it. */
export function expectOrder(records: EventRecord[], key: OrderKey, direction: 'asc' | 'desc'): void {
  const compare = key === 'createdAt' ? compareByTime : compareByBlock
  const sign = direction === 'asc' ? 1 : -1
  for (const [index, record] of records.slice(1).entries()) {
    const before = records[index]
    if (before && compare(placeOf(before), placeOf(record)) * sign < 0) continue
    throw new Error(`${record.id} stands behind ${before?.id}, against ${key}=${direction}`)
  }
}

/** Throws with both values unless they are the same. */
export function expectSame(what: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return
  throw new Error(`${what} is ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
}
