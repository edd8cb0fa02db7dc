import { queryString, type RecordOf, type TokenQuery, type UserQuery } from './query.ts'
import type { EventKind } from './records.ts'
import { type Authorize, send } from './send.ts'

export * from './client-errors.ts'
export type { RecordOf, TokenQuery, UserQuery } from './query.ts'
export type * from './records.ts'
export type { Authorize } from './send.ts'

export interface ClientOptions {
  /** Attempts after the first, where the service is overloaded or out of reach; 3 by default. */
  retries?: number
  /** For one attempt; 30 seconds by default. */
  timeoutMs?: number
  /** In place of the global one. */
  fetch?: typeof fetch
  /** Where the service is not public: the headers that show who asks, such as `Authorization`. */
  authorize?: Authorize
}

export interface CallOptions {
  signal?: AbortSignal | undefined
}

export interface EventPage<Kind extends EventKind = EventKind> {
  records: RecordOf<Kind>[]
  /** The cursor of the next page; undefined at the end. */
  next: string | undefined
  /** Whether reading stopped early: the page is short, and more may follow. */
  isPartial: boolean
  /** Up to which block each network is known, as `X-Indexed-Through` tells it. */
  indexedThrough: string | undefined
  /** With `finalized`: up to which block each network is final, as `X-Finalized-Through` tells it. */
  finalizedThrough: string | undefined
  /** With `count`: how many records match. */
  total: number | undefined
  /** In place of `total`, where not all were counted: so many, and perhaps more. */
  totalAtLeast: number | undefined
  /** What the logs call this request. */
  requestId: string | undefined
}

export interface EventsClient {
  /** One page of a user's events. */
  userEvents<Kind extends EventKind = EventKind>(
    address: string,
    query?: UserQuery<Kind>,
    options?: CallOptions,
  ): Promise<EventPage<Kind>>
  /** One page of tokens' events. */
  tokenEvents<Kind extends EventKind = EventKind>(
    query?: TokenQuery<Kind>,
    options?: CallOptions,
  ): Promise<EventPage<Kind>>
  /** All of a user's events, page after page; `limit` is the size of a page. */
  eachUserEvent<Kind extends EventKind = EventKind>(
    address: string,
    query?: UserQuery<Kind>,
    options?: CallOptions,
  ): AsyncGenerator<RecordOf<Kind>, void, undefined>
  /** All of the tokens' events, page after page; `limit` is the size of a page. */
  eachTokenEvent<Kind extends EventKind = EventKind>(
    query?: TokenQuery<Kind>,
    options?: CallOptions,
  ): AsyncGenerator<RecordOf<Kind>, void, undefined>
}

/**
 * A client of the service at that address, for browsers and Node.js. What its methods throw is described
 * at `send`.
 */
export function createEventsClient(baseUrl: string, options: ClientOptions = {}): EventsClient {
  const { retries = 3, timeoutMs = 30_000 } = options
  const base = baseUrl.replace(/\/+$/, '')

  async function page<Kind extends EventKind>(
    path: string,
    query: UserQuery | TokenQuery,
    { signal }: CallOptions,
  ) {
    // Looked up at each call, as a page may replace it.
    const { fetch = globalThis.fetch } = options
    const { headers, body } = await send(`${base}${path}${queryString(query)}`, {
      signal,
      retries,
      timeoutMs,
      fetch,
      authorize: options.authorize,
    })
    return {
      records: body as RecordOf<Kind>[],
      next: cursorOf(headers.get('link')),
      isPartial: headers.get('x-partial') === 'true',
      indexedThrough: headers.get('x-indexed-through') ?? undefined,
      finalizedThrough: headers.get('x-finalized-through') ?? undefined,
      total: numberOf(headers.get('x-total-count')),
      totalAtLeast: numberOf(headers.get('x-total-count-at-least')),
      requestId: headers.get('x-request-id') ?? undefined,
    }
  }

  async function* each<Kind extends EventKind>(
    path: string,
    query: UserQuery | TokenQuery,
    called: CallOptions,
  ) {
    let { cursor } = query
    do {
      // Nobody sees the total, and each page would count anew.
      const { records, next } = await page<Kind>(path, { ...query, count: undefined, cursor }, called)
      yield* records
      cursor = next
    } while (cursor !== undefined)
  }

  return {
    userEvents: (address, query = {}, called = {}) => page(userPath(address), query, called),
    tokenEvents: (query = {}, called = {}) => page(TOKEN_PATH, query, called),
    eachUserEvent: (address, query = {}, called = {}) => each(userPath(address), query, called),
    eachTokenEvent: (query = {}, called = {}) => each(TOKEN_PATH, query, called),
  }
}

const TOKEN_PATH = '/v1/token-events'
const userPath = (address: string) => `/v1/user-events/${encodeURIComponent(address)}`

/** The link itself may name an address that this client cannot reach; the cursor in it is all that counts. */
function cursorOf(link: string | null): string | undefined {
  const [, target] = /<([^<>]+)>; *rel="next"/.exec(link ?? '') ?? []
  return target === undefined ? undefined : (new URL(target).searchParams.get('cursor') ?? undefined)
}

const numberOf = (header: string | null) => (header === null ? undefined : Number(header))
