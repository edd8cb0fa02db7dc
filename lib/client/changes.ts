import { ApiError } from './client-errors.ts'
import { type AnswerHeaders, readAnswerHeaders, readPageHeaders } from './page-headers.ts'
import type { EventKind, EventRecord, Network } from './records.ts'
import { parseList, retryAfterMs, type Wanted } from './send.ts'

/** A change of the service's events. Apply changes to a copy in the given order. */
export type Change<Kind extends EventKind = EventKind> =
  /** Store the record under its `id`, and replace any earlier one. */
  | { change: 'added'; record: EventRecord & { event: Kind } }
  /** Delete the record with this `id`, if the copy contains it. */
  | { change: 'removed'; record: RemovedRecord }

/** An event that was removed, nearly always because its block has left the chain. */
export interface RemovedRecord {
  id: string
  network: Network
  blockNumber: number
  blockHash: string
}

/** One value or several values. An event must match one of the values. */
export type OneOrMore<Value> = Value | readonly Value[] | undefined

/** The scope of the feed. An event must match every given filter. */
export interface ChangesQuery<Kind extends EventKind = EventKind> {
  event?: OneOrMore<Kind>
  network?: OneOrMore<Network>
  /** The token contract. */
  address?: OneOrMore<string>
  /** Only events with this user in any role. The feed also has the removals of other users' events. */
  user?: string | undefined
  /** Whether to report only added events whose blocks are final. Removals of other events are still reported. */
  finalized?: boolean | undefined
  /** The maximum number of changes per page, up to 500. The default is 50. */
  limit?: number | undefined
  /** Where to start if there is no cursor. The default is `now`. */
  from?: 'beginning' | 'now' | undefined
  /** The last stored cursor. It takes precedence over `from`. */
  cursor?: string | undefined
}

export interface ChangePage<Kind extends EventKind = EventKind> extends AnswerHeaders {
  changes: Change<Kind>[]
  /**
   * The cursor of the next page. Store the cursor in one step with the changes, and store the cursor of an empty page
   * as well.
   */
  next: string
  /**
   * Whether the page is empty and the feed has no more changes at the moment. If so, request the next page after
   * `retryAfterMs`.
   */
  isUpToDate: boolean
  /** How long to wait before the next request, in milliseconds. 0 if more changes may be ready already. */
  retryAfterMs: number
}

export const CHANGES_PATH = '/v1/changes'

export const CHANGES: Wanted<unknown[]> = {
  accept: 'application/json',
  name: 'changes',
  // An empty list is recognised by its next cursor.
  read: text =>
    parseList<Change>(text, ({ change, record }) => change !== undefined && typeof record?.id === 'string'),
}

/** The wait if `Retry-After` is missing or asks for no wait, because a reader must pause between its requests. */
const DEFAULT_RETRY_MS = 5000

/** Throws `ApiError` for an answer without a next cursor. */
export function changePageOf<Kind extends EventKind>(headers: Headers, body: unknown[]): ChangePage<Kind> {
  const { next, isPartial } = readPageHeaders(headers)
  if (next === undefined) throw new ApiError(200, undefined, 'The answer has no cursor to continue with')
  const isUpToDate = body.length === 0 && !isPartial
  const askedForMs = retryAfterMs(headers.get('retry-after'))
  return {
    changes: body as Change<Kind>[],
    next,
    isUpToDate,
    retryAfterMs: isUpToDate ? askedForMs || DEFAULT_RETRY_MS : 0,
    ...readAnswerHeaders(headers),
  }
}
