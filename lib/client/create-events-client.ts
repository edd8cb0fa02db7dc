import {
  CHANGES,
  CHANGES_PATH,
  type Change,
  type ChangePage,
  type ChangesQuery,
  changePageOf,
} from './changes.ts'
import { type ExportOptions, type ExportPart, exportPages } from './export-pages.ts'
import { type PlaceOfPage, placeOfPage, unmatchableIn } from './place-of-page.ts'
import { queryString, type RecordOf, type RequestTarget, type TokenQuery, type UserQuery } from './query.ts'
import type { EventKind } from './records.ts'
import { type Answer, type Authorize, parseList, send, type Wanted, wait } from './send.ts'
import { type ServiceStatus, STATUS, STATUS_PATH } from './service-status.ts'

export type { Change, ChangePage, ChangesQuery, RemovedRecord } from './changes.ts'
export * from './client-errors.ts'
export type { ExportFormat, ExportOptions, ExportPart } from './export-pages.ts'
export type { RecordOf, TokenQuery, UserQuery } from './query.ts'
export type * from './records.ts'
export type { Authorize } from './send.ts'
export type { NetworkStatus, ServiceStatus } from './service-status.ts'

export interface ClientOptions {
  /** Attempts after the first, where the service is overloaded or out of reach; 3 by default. */
  retries?: number
  /** For one attempt; 30 seconds by default. */
  timeoutMs?: number
  /** In place of the global one. */
  fetch?: typeof fetch
  /** Where the service is not public: the headers that show who asks, such as `Authorization`. */
  authorize?: Authorize | undefined
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  /** For so long each page is waited for while a network is not indexed as far as `minBlock` asks for; not at all by default. */
  waitForBlockMs?: number | undefined
}

export interface EventPage<Kind extends EventKind = EventKind> extends PlaceOfPage {
  records: RecordOf<Kind>[]
  /** Up to which block each network is known, as `X-Indexed-Through` tells it. */
  indexedThrough: string | undefined
  /** With `finalized`: up to which block each network is final, as `X-Finalized-Through` tells it. */
  finalizedThrough: string | undefined
  /** The parameters whose value no event can have, such as a mistyped address; undefined where there are none. */
  unmatchable: string[] | undefined
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
  /** All of a user's events as text to be written one part behind the other; `limit` is the size of a page. */
  exportUserEvents(
    address: string,
    query: UserQuery,
    options: ExportOptions,
  ): AsyncGenerator<ExportPart, void, undefined>
  /** All of the tokens' events as text to be written one part behind the other; `limit` is the size of a page. */
  exportTokenEvents(query: TokenQuery, options: ExportOptions): AsyncGenerator<ExportPart, void, undefined>
  /** What the service is, and how far each network is indexed. */
  status(options?: CallOptions): Promise<ServiceStatus>
  /** One turn of the feed of changes. */
  changePage<Kind extends EventKind = EventKind>(
    query?: ChangesQuery<Kind>,
    options?: CallOptions,
  ): Promise<ChangePage<Kind>>
  /**
   * The feed of changes, page after page and without an end: who is up to date waits for as long as the service asks
   * before the next page comes. Empty pages come, too, for their `next` is to be stored.
   */
  changePages<Kind extends EventKind = EventKind>(
    query?: ChangesQuery<Kind>,
    options?: CallOptions,
  ): AsyncGenerator<ChangePage<Kind>, void, undefined>
  /**
   * The same, change by change. `cursor` is the one to store once the change is applied: going on with it, nothing is
   * missed, and what is told twice does no harm. Undefined as long as it is best to begin as was begun.
   */
  changes<Kind extends EventKind = EventKind>(
    query?: ChangesQuery<Kind>,
    options?: CallOptions,
  ): AsyncGenerator<Change<Kind> & { cursor: string | undefined }, void, undefined>
}

/**
 * A client of the service at that address, for browsers and Node.js. What its methods throw is described
 * at `send`.
 */
export function createEventsClient(baseUrl: string, options: ClientOptions = {}): EventsClient {
  const { retries = 3, timeoutMs = 30_000 } = options
  const base = baseUrl.replace(/\/+$/, '')

  function ask<Body>(
    { path, query }: RequestTarget,
    wanted: CallOptions & Wanted<Body>,
  ): Promise<Answer<Body>> {
    // Looked up at each call, as a page may replace it.
    const { fetch = globalThis.fetch, authorize } = options
    const url = `${base}${path}${queryString(query)}`
    return send(url, { retries, timeoutMs, fetch, authorize, ...wanted })
  }

  async function page<Kind extends EventKind>(
    path: string,
    query: UserQuery | TokenQuery,
    called: CallOptions,
  ) {
    const { headers, body } = await ask({ path, query }, { ...called, ...EVENTS })
    return {
      records: body as RecordOf<Kind>[],
      ...placeOfPage(headers),
      indexedThrough: headers.get('x-indexed-through') ?? undefined,
      finalizedThrough: headers.get('x-finalized-through') ?? undefined,
      unmatchable: unmatchableIn(headers),
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

  async function changePage<Kind extends EventKind>(query: ChangesQuery<Kind>, called: CallOptions) {
    // A cursor says where to begin by itself.
    const asked = query.cursor === undefined ? query : { ...query, from: undefined }
    const { headers, body } = await ask({ path: CHANGES_PATH, query: asked }, { ...called, ...CHANGES })
    return changePageOf<Kind>(headers, body)
  }

  async function* changePages<Kind extends EventKind>(query: ChangesQuery<Kind>, called: CallOptions) {
    let { cursor } = query
    for (;;) {
      const found = await changePage<Kind>({ ...query, cursor }, called)
      yield found
      cursor = found.next
      if (found.isUpToDate) await wait(found.retryAfterMs, called.signal)
    }
  }

  async function* changes<Kind extends EventKind>(query: ChangesQuery<Kind>, called: CallOptions) {
    let { cursor } = query
    for await (const { changes, next } of changePages(query, called)) {
      // Until the last one is applied, the page is to be asked for again.
      for (const [index, change] of changes.entries()) {
        yield { ...change, cursor: index === changes.length - 1 ? next : cursor }
      }
      cursor = next
    }
  }

  return {
    changePage: (query = {}, called = {}) => changePage(query, called),
    changePages: (query = {}, called = {}) => changePages(query, called),
    changes: (query = {}, called = {}) => changes(query, called),
    userEvents: (address, query = {}, called = {}) => page(userPath(address), query, called),
    tokenEvents: (query = {}, called = {}) => page(TOKEN_PATH, query, called),
    eachUserEvent: (address, query = {}, called = {}) => each(userPath(address), query, called),
    eachTokenEvent: (query = {}, called = {}) => each(TOKEN_PATH, query, called),
    exportUserEvents: (address, query, called) =>
      exportPages(ask, { path: userPath(address), query }, called),
    exportTokenEvents: (query, called) => exportPages(ask, { path: TOKEN_PATH, query }, called),
    status: async (called = {}) =>
      (await ask({ path: STATUS_PATH, query: {} }, { ...called, ...STATUS })).body,
  }
}

const EVENTS: Wanted<unknown[]> = { accept: 'application/json', name: 'events', read: parseList }
const TOKEN_PATH = '/v1/token-events'
const userPath = (address: string) => `/v1/user-events/${encodeURIComponent(address)}`
