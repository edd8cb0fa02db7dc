import { ApiError } from './client-errors.ts'
import { type AnswerHeaders, type PageHeaders, readAnswerHeaders, readPageHeaders } from './page-headers.ts'
import type { EventKind, EventRecord, Network } from './records.ts'
import { parseList, retryAfterMs, type Wanted } from './send.ts'

/** A change to the service's events. Apply changes to a copy in the order in which they arrive. */
export type Change<Kind extends EventKind = EventKind> =
  /** Store the record under its `id`, replacing any earlier record. */
  | { change: 'added'; record: EventRecord & { event: Kind } }
  /** Delete the record with this `id`, if the copy contains it. */
  | { change: 'removed'; record: RemovedRecord }

/** An event that was removed, usually because its block left the chain. */
export interface RemovedRecord {
  id: string
  network: Network
  blockNumber: number
  blockHash: string
}

/** One value or several values. An event must match at least one of them. */
export type OneOrMore<Value> = Value | readonly Value[] | undefined

/** The scope of the feed. An event must match every filter. */
export interface ChangesQuery<Kind extends EventKind = EventKind> {
  event?: OneOrMore<Kind>
  network?: OneOrMore<Network>
  /** The address of the token contract. */
  address?: OneOrMore<string>
  /** Only events with this user in any role. The feed still reports removals of other users' events. */
  user?: string | undefined
  /** Whether the feed adds only events of final blocks. If so, it may report removals of events that it never added. */
  finalized?: boolean | undefined
  /** The maximum number of changes per page, up to 500. The default is 50. */
  limit?: number | undefined
  /** Where to start if there is no cursor. The default is `now`. */
  from?: 'beginning' | 'now' | undefined
  /** The last stored cursor, which takes precedence over `from`. */
  cursor?: string | undefined
}

export interface ChangePage<Kind extends EventKind = EventKind>
  extends AnswerHeaders,
    Pick<PageHeaders, 'isPartial'> {
  changes: Change<Kind>[]
  /** The cursor of the next page. Store it in the same transaction as the changes, even if the page is empty. */
  next: string
  /** Whether the page is empty because there are no further changes yet. If so, wait for `retryAfterMs`. */
  isUpToDate: boolean
  /** How long to wait before the next request, in milliseconds. 0 if further changes might already be available. */
  retryAfterMs: number
}

export const CHANGES_PATH = '/v1/changes'

export const CHANGES: Wanted<unknown[]> = {
  accept: 'application/json',
  name: 'changes',
  // An empty list is accepted here, because `changePageOf` checks that the response has a next cursor.
  read: text =>
    parseList<Change>(text, ({ change, record }) => change !== undefined && typeof record?.id === 'string'),
}

/**
 * The wait of an up-to-date reader if `Retry-After` is missing or 0. Such a reader must always pause between requests.
 */
const DEFAULT_RETRY_MS = 5000

/** Throws `ApiError` if the response has no next cursor. */
export function changePageOf<Kind extends EventKind>(headers: Headers, body: unknown[]): ChangePage<Kind> {
  const { next, isPartial } = readPageHeaders(headers)
  if (next === undefined) throw new ApiError(200, undefined, 'The answer has no cursor to continue with')
  const isUpToDate = body.length === 0 && !isPartial
  const askedForMs = retryAfterMs(headers.get('retry-after'))
  return {
    changes: body as Change<Kind>[],
    next,
    isPartial,
    isUpToDate,
    retryAfterMs: isUpToDate ? askedForMs || DEFAULT_RETRY_MS : 0,
    ...readAnswerHeaders(headers),
  }
}
