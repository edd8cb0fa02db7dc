import {
  createEventsClient,
  type EventPage,
  type EventsClient,
  type RecordOf,
  type TokenQuery,
} from '../../../lib/client/create-events-client.ts'
import type { EventKind } from '../../../lib/events/event-kinds.ts'
import { compareByTime, placeOf } from '../../../lib/events/place.ts'
import { type EventRecord, eventRecordSchema } from '../../../lib/events/record.ts'
import { type SendRequest, type ServiceOptions, serviceRequests } from '../../../lib/kit/service-requests.ts'
import { INDEX_LAG_SECONDS } from '../../../lib/query/indexed-through.ts'

export interface Service {
  client: EventsClient
  /** Sends a request with the `Origin` of a web page on another site. Does not retry. */
  request: SendRequest
  /**
   * Resolves with the newest matching events that are old enough to be in all indexes. While an indexer runs, an index
   * may still lack newer events. If all matching events are newer, resolves with the newest of them.
   */
  settled<Kind extends EventKind>(query: TokenQuery<Kind>): Promise<RecordOf<Kind>[]>
  /** Resolves with the newest event that all indexes have (see `settled`). Throws if the service has no events. */
  sample(): Promise<EventRecord>
}

export interface Check {
  name: string
  /** Resolves with a few words about what was found. Throws an error if the check fails. */
  run(service: Service): Promise<string>
}

const RETRIES = 1

export function serviceAt(baseUrl: string, options: ServiceOptions): Service {
  const { timeoutMs, authorize } = options
  const client = createEventsClient(baseUrl, { retries: RETRIES, timeoutMs, ...(authorize && { authorize }) })
  let newest: Promise<EventRecord> | undefined

  async function settled<Kind extends EventKind>(query: TokenQuery<Kind>) {
    const toTime = new Date(Date.now() - INDEX_LAG_SECONDS * 1000)
    const { records } = await client.tokenEvents({ ...query, toTime })
    return records.length > 0 ? records : (await client.tokenEvents(query)).records
  }

  return {
    client,
    request: serviceRequests(baseUrl, options),
    settled,
    sample() {
      newest ??= settled({ limit: 1 }).then(([record]) => {
        if (!record) throw new Error('this check needs events, but the service has none')
        return record
      })
      return newest
    },
  }
}

export interface CheckResult {
  name: string
  passed: boolean
  /** What the check found, or why it failed. */
  found: string
  durationMs: number
}

/** A failure is part of the result, and is not thrown. */
export async function runCheck({ name, run }: Check, service: Service): Promise<CheckResult> {
  const startedAt = performance.now()
  const outcome = await run(service).then(
    found => ({ passed: true, found }),
    error => ({ passed: false, found: messageOf(error) }),
  )
  return { name, ...outcome, durationMs: performance.now() - startedAt }
}

/** The message of a `fetch` error only says that the request failed, so the message of its cause is returned. */
function messageOf(error: unknown): string {
  const { message, cause } = error as Error
  return message === 'fetch failed' && cause instanceof Error ? cause.message : message
}

/** Checks records against the documented schema. Throws an error that describes the first invalid record. */
export function recordsOf({ records }: Pick<EventPage, 'records'>): EventRecord[] {
  for (const record of records) {
    const { error } = eventRecordSchema.safeParse(record)
    if (!error) continue
    const { path = [], message = '' } = error.issues[0] ?? {}
    throw new Error(
      `${record.id ?? 'a record'} does not match the documented schema: ${path.join('.')} ${message}`,
    )
  }
  return records
}

/** Throws if the records are not in the default order. */
export function expectNewestFirst(records: EventRecord[]): void {
  for (const [index, record] of records.slice(1).entries()) {
    const before = records[index]
    if (before && compareByTime(placeOf(before), placeOf(record)) > 0) continue
    throw new Error(`${record.id} comes after the older event ${before?.id}`)
  }
}

export function expectSame(what: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return
  throw new Error(`${what} is ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
}
