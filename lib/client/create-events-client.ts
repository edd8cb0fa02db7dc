import {
  CHANGES,
  CHANGES_PATH,
  type Change,
  type ChangePage,
  type ChangesQuery,
  changePageOf,
} from './changes.ts'
import { isOutage } from './client-errors.ts'
import { createOutagePauses, type OutageOptions } from './create-outage-pauses.ts'
import { type ExportOptions, type ExportPart, exportPages } from './export-pages.ts'
import { type AnswerHeaders, type PageHeaders, readAnswerHeaders, readPageHeaders } from './page-headers.ts'
import { queryString, type RecordOf, type RequestTarget, type TokenQuery, type UserQuery } from './query.ts'
import type { EventKind, EventRecord } from './records.ts'
import { type Authorize, type CallOptions, checkAddress, parseList, send, type Wanted, wait } from './send.ts'
import { type ServiceStatus, STATUS, STATUS_PATH } from './status.ts'

export type { Change, ChangePage, ChangesQuery, RemovedRecord } from './changes.ts'
export * from './client-errors.ts'
export type { ExportFormat, ExportOptions, ExportPart } from './export-pages.ts'
export type { RecordOf, TokenQuery, UserQuery } from './query.ts'
export type * from './records.ts'
export type { Authorize, CallOptions } from './send.ts'
export type { NetworkStatus, ServiceStatus } from './status.ts'

export interface ClientOptions {
  /** The maximum number of retries while the service is overloaded or unreachable. The default is 3. */
  retries?: number
  /** The timeout of one attempt. The default is 30 seconds. */
  timeoutMs?: number
  /** Used instead of the global `fetch`. */
  fetch?: typeof fetch
  /** Returns the headers that identify the caller, such as `Authorization`. Required if the service is not public. */
  authorize?: Authorize | undefined
}

/** Options for the methods that follow the change feed. */
export interface FollowOptions extends CallOptions {
  /** Called once per outage, with the first error. If this call throws, the method throws too, instead of waiting. */
  onTrouble?: OutageOptions['onTrouble']
}

export interface EventPage<Kind extends EventKind = EventKind> extends PageHeaders, AnswerHeaders {
  records: RecordOf<Kind>[]
  /** The last final block of each network, from `X-Finalized-Through`. Set only if the query has `finalized`. */
  finalizedThrough: string | undefined
}

export interface EventsClient {
  userEvents<Kind extends EventKind = EventKind>(
    address: string,
    query?: UserQuery<Kind>,
    options?: CallOptions,
  ): Promise<EventPage<Kind>>
  tokenEvents<Kind extends EventKind = EventKind>(
    query?: TokenQuery<Kind>,
    options?: CallOptions,
  ): Promise<EventPage<Kind>>
  /** Yields all events of a user. `limit` is the number of events per request. */
  eachUserEvent<Kind extends EventKind = EventKind>(
    address: string,
    query?: UserQuery<Kind>,
    options?: CallOptions,
  ): AsyncGenerator<RecordOf<Kind>, void, undefined>
  /** Yields all matching token events. `limit` is the number of events per request. */
  eachTokenEvent<Kind extends EventKind = EventKind>(
    query?: TokenQuery<Kind>,
    options?: CallOptions,
  ): AsyncGenerator<RecordOf<Kind>, void, undefined>
  /** Yields all events of a user as text, in parts to concatenate. `limit` is the number of events per request. */
  exportUserEvents(
    address: string,
    query: UserQuery,
    options: ExportOptions,
  ): AsyncGenerator<ExportPart, void, undefined>
  /** Yields all matching token events as text, in parts to concatenate. `limit` is the number of events per request. */
  exportTokenEvents(query: TokenQuery, options: ExportOptions): AsyncGenerator<ExportPart, void, undefined>
  status(options?: CallOptions): Promise<ServiceStatus>
  changePage<Kind extends EventKind = EventKind>(
    query?: ChangesQuery<Kind>,
    options?: CallOptions,
  ): Promise<ChangePage<Kind>>
  /**
   * Yields the pages of the change feed, and never ends. When there are no further changes yet, the method waits for as
   * long as the service asks, and then requests the next page. The method also yields empty pages, because their `next`
   * must be stored. During an outage, the method retries after increasing pauses. Throws any error that does not come
   * from an outage, such as `CursorExpiredError`.
   */
  changePages<Kind extends EventKind = EventKind>(
    query?: ChangesQuery<Kind>,
    options?: FollowOptions,
  ): AsyncGenerator<ChangePage<Kind>, void, undefined>
  /**
   * Yields the changes of the feed one by one. Store `cursor` after you apply each change, so that a restart misses no
   * change. Applying a change twice does no harm. While `cursor` is still undefined, a restart must also begin without
   * a cursor. During outages, this method waits as `changePages` does.
   */
  changes<Kind extends EventKind = EventKind>(
    query?: ChangesQuery<Kind>,
    options?: FollowOptions,
  ): AsyncGenerator<Change<Kind> & { cursor: string | undefined }, void, undefined>
}

/**
 * Creates a client of the service at `baseUrl`, for browsers and Node.js. The methods throw the errors that are listed
 * at `send`. Throws `TypeError` if `baseUrl` contains `?`, `#`, a user name or a password. To log in, use `authorize`.
 */
export function createEventsClient(baseUrl: string, options: ClientOptions = {}): EventsClient {
  const { retries = 3, timeoutMs = 30_000 } = options
  checkAddress(baseUrl)
  const base = baseUrl.replace(/\/+$/, '')

  function ask<Body>({ path, query }: RequestTarget, wanted: CallOptions & Wanted<Body>) {
    // Looks up `fetch` at each call, because a web page may replace it.
    const { fetch = globalThis.fetch, authorize } = options
    const url = `${base}${path}${queryString(query)}`
    return send(url, { retries, timeoutMs, fetch, authorize, ...wanted })
  }

  async function page<Kind extends EventKind>(target: RequestTarget, called: CallOptions) {
    const { headers, body } = await ask(target, { ...called, ...EVENTS })
    return {
      records: body as RecordOf<Kind>[],
      ...readPageHeaders(headers),
      ...readAnswerHeaders(headers),
      finalizedThrough: headers.get('x-finalized-through') ?? undefined,
    }
  }

  async function* each<Kind extends EventKind>({ path, query }: RequestTarget, called: CallOptions) {
    let { cursor } = query
    do {
      // Does not request the count, because callers never see it, and the service would count again for each page.
      const asked = { ...query, count: undefined, cursor }
      const { records, next } = await page<Kind>({ path, query: asked }, called)
      yield* records
      cursor = next
    } while (cursor !== undefined)
  }

  async function changePage<Kind extends EventKind>(query: ChangesQuery<Kind>, called: CallOptions) {
    // Omits `from` if there is a cursor, because the feed continues at the cursor.
    const asked = query.cursor === undefined ? query : { ...query, from: undefined }
    const { headers, body } = await ask({ path: CHANGES_PATH, query: asked }, { ...called, ...CHANGES })
    return changePageOf<Kind>(headers, body)
  }

  async function* changePages<Kind extends EventKind>(query: ChangesQuery<Kind>, called: FollowOptions) {
    const pauses = createOutagePauses(called)
    let { cursor } = query
    for (;;) {
      const found = await changePage<Kind>({ ...query, cursor }, called).catch(async error => {
        if (!isOutage(error)) throw error
        await pauses.waitOut(error)
      })
      if (!found) continue
      pauses.recover()
      yield found
      cursor = found.next
      if (found.isUpToDate) await wait(found.retryAfterMs, called.signal)
    }
  }

  async function* changes<Kind extends EventKind>(query: ChangesQuery<Kind>, called: FollowOptions) {
    let { cursor } = query
    for await (const { changes, next } of changePages(query, called)) {
      // Until the last change of the page is applied, a restart must request the same page again.
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
    userEvents: (address, query = {}, called = {}) => page({ path: userPath(address), query }, called),
    tokenEvents: (query = {}, called = {}) => page({ path: TOKEN_PATH, query }, called),
    eachUserEvent: (address, query = {}, called = {}) => each({ path: userPath(address), query }, called),
    eachTokenEvent: (query = {}, called = {}) => each({ path: TOKEN_PATH, query }, called),
    exportUserEvents: (address, query, called) =>
      exportPages(ask, { path: userPath(address), query }, called),
    exportTokenEvents: (query, called) => exportPages(ask, { path: TOKEN_PATH, query }, called),
    status: async (called = {}) =>
      (await ask({ path: STATUS_PATH, query: {} }, { ...called, ...STATUS })).body,
  }
}

const EVENTS: Wanted<unknown[]> = {
  accept: 'application/json',
  name: 'events',
  read: (text, headers) => {
    const records = parseList<EventRecord>(text, ({ event, id }) => event !== undefined && id !== undefined)
    // Another server may also send `[]`, so an empty list is accepted only with the request id that the service adds to
    // every response.
    return records?.length === 0 && !headers.has('x-request-id') ? undefined : records
  },
}
const TOKEN_PATH = '/v1/token-events'
const userPath = (address: string) => `/v1/user-events/${encodeURIComponent(address)}`
