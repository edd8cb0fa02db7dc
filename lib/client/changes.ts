import { ApiError } from './client-errors.ts'
import { placeOfPage, unmatchableIn } from './place-of-page.ts'
import type { EventKind, EventRecord, Network } from './records.ts'
import { parseList, retryAfterMs, type Wanted } from './send.ts'

/** What happens to the events that the service has; to be applied to a copy in the order given. */
export type Change<Kind extends EventKind = EventKind> =
  /** To be stored, in place of what the copy has of this `id`. */
  | { change: 'added'; record: EventRecord & { event: Kind } }
  /** To be deleted by its `id`; the copy may not have it. */
  | { change: 'removed'; record: RemovedRecord }

/** An event whose block has left its chain. */
export interface RemovedRecord {
  id: string
  network: Network
  blockNumber: number
  blockHash: string
}

type OneOrMore<Value> = Value | readonly Value[] | undefined

/** Whose changes are asked for; everything given must hold. */
export interface ChangesQuery<Kind extends EventKind = EventKind> {
  event?: OneOrMore<Kind>
  network?: OneOrMore<Network>
  /** The token contract. */
  address?: OneOrMore<string>
  /** A user in any part; removals of all users' events are told. */
  user?: string | undefined
  /** Changes a page, 500 at most; 50 by default. */
  limit?: number | undefined
  /** Where to begin without a cursor; `now` by default. */
  from?: 'beginning' | 'now' | undefined
  /** The cursor that was stored last; takes the place of `from`. */
  cursor?: string | undefined
}

export interface ChangePage<Kind extends EventKind = EventKind> {
  changes: Change<Kind>[]
  /** The cursor to go on with, to be stored together with these changes, also where there are none. */
  next: string
  /** Whether there was nothing to tell, and nothing is left: ask again after a while. */
  isUpToDate: boolean
  /** How long that while is, in milliseconds; 0 where there may be more at once. */
  retryAfterMs: number
  /** Up to which block each network is known, as `X-Indexed-Through` tells it. */
  indexedThrough: string | undefined
  /** The parameters whose value no event can have, such as a mistyped address; undefined where there are none. */
  unmatchable: string[] | undefined
  /** What the logs call this request. */
  requestId: string | undefined
}

export const CHANGES_PATH = '/v1/changes'

export const CHANGES: Wanted<unknown[]> = { accept: 'application/json', name: 'changes', read: parseList }

/** Where the service does not say how long to wait. */
const DEFAULT_RETRY_MS = 5000

/** Throws `ApiError` for an answer without a cursor to go on with. */
export function changePageOf<Kind extends EventKind>(headers: Headers, body: unknown[]): ChangePage<Kind> {
  const { next, isPartial } = placeOfPage(headers)
  if (next === undefined) throw new ApiError(200, undefined, 'The answer has no cursor to go on with')
  const isUpToDate = body.length === 0 && !isPartial
  const retryAfter = headers.get('retry-after')
  return {
    changes: body as Change<Kind>[],
    next,
    isUpToDate,
    retryAfterMs: isUpToDate ? (retryAfter === null ? DEFAULT_RETRY_MS : retryAfterMs(retryAfter)) : 0,
    indexedThrough: headers.get('x-indexed-through') ?? undefined,
    unmatchable: unmatchableIn(headers),
    requestId: headers.get('x-request-id') ?? undefined,
  }
}
