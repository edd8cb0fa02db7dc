import { setImmediate } from 'node:timers/promises'
import {
  ApiError,
  type ChangesQuery,
  type Change as ClientChange,
  type Network as ClientNetwork,
  type EventRecord as ClientRecord,
  type Role as ClientRole,
  type ServiceStatus as ClientStatus,
  ConnectionError,
  createEventsClient,
  HeaderChangedError,
  InvalidParametersError,
  NotIndexedYetError,
  type TokenQuery,
  UnavailableError,
  type UserQuery,
} from '../../lib/client/create-events-client.ts'
import type { PARAMETERS } from '../../lib/client/parameters.ts'
import type { Role } from '../../lib/events/event-kinds.ts'
import type { Network } from '../../lib/events/networks.ts'
import type { EventRecord } from '../../lib/events/record.ts'
import type { Change } from '../../lib/feed/turn.ts'
import type { ServiceStatus } from '../../lib/site/status/service-status.ts'
import { listenWith, SERVED_VERSION, useListening } from '../support/http/listen.ts'
import { readCsv } from '../support/http/read-csv.ts'
import { serveEvents } from '../support/http/serve-events.ts'
import { hurried, type Reply, useFakeTime, withReplies } from '../support/http/with-replies.ts'
import { csvRowsOf } from '../support/oracle/csv-rows-of.ts'
import { validAnswer } from '../support/oracle/valid-answer.ts'
import { ADDRESS_POOL } from '../support/records/arbitrary-fields.ts'
import { eventSetOf } from '../support/records/arbitrary-records.ts'
import { type ApiRequest, requestOfUrl, tokenEvents, userEvents } from '../support/requests/api-request.ts'
import { listOf } from '../support/runner/list-of.ts'
import { useEngine } from '../support/store/engine.ts'

const { jest } = import.meta
const engine = useEngine()
const records = eventSetOf({ blocks: 8, events: 4, crowd: 90 }, 21)
const USER = ADDRESS_POOL[2]
const all = (request: ApiRequest): EventRecord[] => validAnswer(records, request).all

/** Compiles only if both types are equal. */
type Same<A, B> = [A, B] extends [B, A] ? true : never
const same: [
  Same<ClientRecord, EventRecord>,
  Same<ClientRole, Role>,
  Same<ClientStatus, ServiceStatus>,
  Same<ClientChange, Change>,
] = [true, true, true, true]
/** Compiles only if the client has all networks. If the compiler reports missing networks, run `npm run openapi`. */
const missingNetworks: Record<Exclude<Network, ClientNetwork>, never> = {}
/** The client has no `format`, because it reads JSON and has separate methods for the other formats. */
type Asked<Resource extends keyof typeof PARAMETERS> = Exclude<
  (typeof PARAMETERS)[Resource][number],
  'format'
>
type Differing<A, B> = Exclude<A, B> | Exclude<B, A>
const differing: Record<
  | Differing<keyof UserQuery, Asked<'user-events'>>
  | Differing<keyof TokenQuery, Asked<'token-events'>>
  | Differing<keyof ChangesQuery, Asked<'changes'>>,
  never
> = {}

test('is typed as the service answers', () => {
  expect([same, missingNetworks, differing]).toEqual([[true, true, true, true], {}, {}])
})

describe('over the service', () => {
  const api = useListening(async () => listenWith((await serveEvents(engine, records)).store))
  const client = () => createEventsClient(`${api.baseUrl}/`)

  test('a page of a user has the records, and tells how to go on', async () => {
    const page = await client().userEvents(USER, { createdAt: 'asc', limit: 3 })

    expect(page.records).toEqual(all(userEvents(USER, [['createdAt', 'asc']])).slice(0, 3))
    expect(page).toMatchObject({ next: expect.any(String), isPartial: false, requestId: expect.any(String) })
  })

  test('every form of value is sent as the service accepts it', async () => {
    const urls: string[] = []
    const record: typeof fetch = async url => {
      urls.push(String(url))
      return new Response('[]', { headers: { 'X-Request-Id': '1' } })
    }
    const { records: none } = await createEventsClient(api.baseUrl, { fetch: record }).tokenEvents({
      ...{ address: [USER, ADDRESS_POOL[3]], from: USER, tokenId: 2n ** 70n, finalized: true, limit: 3 },
      ...{ blockNumber: [5, 'asc'], createdAt: 'desc', fromTime: new Date(0), toTime: '2024-04-01' },
      ...{ network: ['base', 'polygon'], minBlock: ['base:1', 'polygon:2'] },
      event: ['TransferSingle', 'Minted'],
    })
    const [sent] = urls.map(requestOfUrl) as [ApiRequest]

    expect(sent).toEqual(
      tokenEvents(
        `address=${USER}&address=${ADDRESS_POOL[3]}&from=${USER}&tokenId=${2n ** 70n}&finalized=true&limit=3` +
          '&blockNumber=5&blockNumber=asc&createdAt=desc&fromTime=1970-01-01T00:00:00.000Z&toTime=2024-04-01' +
          '&network=base&network=polygon&minBlock=base:1&minBlock=polygon:2&event=TransferSingle&event=Minted',
      ),
    )
    expect(all(sent)).toEqual([])
    // Compiles because the elements' type has only the requested kinds.
    expect(none.every(({ event }) => event === 'TransferSingle' || event === 'Minted')).toBe(true)
  })

  test.each([1, 7, 500])('an export in lines is all events, %s a page', async limit => {
    const parts = await listOf(client().exportUserEvents(USER, { limit, skip: 1 }, { format: 'ndjson' }))
    const text = parts.map(part => part.text).join('')
    const counts = parts.map(part => part.records)

    expect(text.endsWith('\n')).toBe(true)
    expect(text.trimEnd().split('\n').map(parseRecord)).toEqual(all(userEvents(USER)).slice(1))
    expect(counts.slice(0, -1)).toEqual(counts.slice(1).map(() => limit))
  })

  const parseRecord = (line: string): EventRecord => JSON.parse(line)

  test('an export in CSV has one header, counts records and not rows, and tells the total first', async () => {
    const parts = await listOf(client().exportTokenEvents({ limit: 40 }, { format: 'csv' }))
    const expected = all(tokenEvents())
    const sizes = parts.map(part => part.records)

    expect(readCsv(parts.map(({ text }) => text).join('')).rows).toEqual(expected.flatMap(csvRowsOf))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(expected.length)
    expect(sizes.slice(0, -1)).toEqual(sizes.slice(1).map(() => 40))
    expect(parts.map(({ total }) => total)).toEqual([expected.length, ...sizes.slice(1).map(() => undefined)])
  })

  test('the status of the service', async () => {
    expect(await client().status()).toEqual({ version: SERVED_VERSION, networks: [] })
  })

  test('a page names the parameters whose value no event can have', async () => {
    const mistyped = USER.slice(0, -1)

    expect(await client().tokenEvents({ from: mistyped, address: [mistyped] })).toMatchObject({
      records: [],
      unmatchable: ['address', 'from'],
    })
    expect((await client().userEvents(`${USER}0`)).unmatchable).toEqual(['address'])
    expect((await client().userEvents(`0x${'9'.repeat(40)}`)).unmatchable).toBeUndefined()
  })

  test('a wrong query is refused with every parameter that is wrong, and not asked again', async () => {
    const refused = client().tokenEvents({ limit: 0, transactionHash: 'x' })

    await expect(refused).rejects.toThrow(InvalidParametersError)
    await expect(refused).rejects.toMatchObject({
      status: 400,
      problem: { type: `${api.baseUrl}/docs#invalid-query` },
      errors: [{ parameter: 'limit' }, { parameter: 'transactionHash' }],
    })
  })

  test.each([
    [{ address: [] }, 'address must not be an empty list'],
    [{ network: [] }, 'network must not be an empty list'],
    [{ event: [] }, 'event must not be an empty list'],
    [{ minBlock: [] }, 'minBlock must not be an empty list'],
    [{ address: USER, tokenId: 2 ** 53 }, 'tokenId is a number above 2^53 - 1'],
    [{ address: USER, tokenId: 1e30 }, 'tokenId is a number above 2^53 - 1'],
  ])('%j is refused instead of asking for something else', async (query, sentence) => {
    await expect(client().tokenEvents(query)).rejects.toThrow(sentence)
    await expect(client().exportTokenEvents(query, { format: 'csv' }).next()).rejects.toThrow(sentence)
  })

  test.each(['', '.', '..'])('the address %j is refused, because a URL cannot contain it', async address => {
    await expect(client().userEvents(address, { limit: 1 })).rejects.toThrow('address must not be empty')
    await expect(client().eachUserEvent(address).next()).rejects.toThrow('address must not be empty')
  })

  test.each([
    ...['https://me:secret@events.example.org', 'HTTP://secret@127.0.0.1:3000/prod'],
    ...['https:/me:secret@events.example.org', 'https:me:secret@events.example.org'],
    ...[' https:\\\\me:secret@events.example.org', 'https://me:12/secret@events.example.org'],
    ...['https://events.example.org?view=secret', '/prod#top'],
  ])('%j is no address to append paths to, and credentials in it are not repeated', url => {
    const refusal = /^The address (?!.*secret).* must not contain \?, #, a user name or a password/
    expect(() => createEventsClient(url)).toThrow(refusal)
  })

  test.each(['https://events.example.org/a@b', '/prod', ''])(
    'an address without credentials is accepted: %j',
    url => {
      expect(() => createEventsClient(url)).not.toThrow()
    },
  )

  test('an empty list ends a follower, which would otherwise copy everything', async () => {
    await expect(client().changePages({ address: [] }).next()).rejects.toThrow('must not be an empty list')
  })

  test('another error of the service keeps what the service says', async () => {
    const elsewhere = (_: unknown, init?: RequestInit) => fetch(`${api.baseUrl}/nowhere`, init)
    const lost = createEventsClient(api.baseUrl, { fetch: elsewhere }).tokenEvents()

    await expect(lost).rejects.toThrow(ApiError)
    await expect(lost).rejects.toMatchObject({ status: 404, problem: { title: 'No such resource' } })
  })
})

describe('over a service that fails', () => {
  const OK: Reply = { status: 200, headers: { 'X-Request-Id': '1' } }
  useFakeTime()

  test.each([429, 502, 503, 504])('%s is asked again', status =>
    withReplies([{ status }, { status }, OK], async (baseUrl, times) => {
      expect((await hurried(createEventsClient(baseUrl).tokenEvents())).records).toEqual([])
      expect(times).toHaveLength(3)
    }),
  )

  test.each([
    ['seconds', '1', 1000],
    ['a date', new Date(2000).toUTCString(), 2000],
    ['more than any number', '9'.repeat(400), 30_000],
  ])('no sooner than Retry-After says in %s', (_, retryAfter, waitMs) =>
    withReplies([{ status: 503, headers: { 'Retry-After': retryAfter } }, OK], async (baseUrl, times) => {
      await hurried(createEventsClient(baseUrl).tokenEvents())

      expect(times).toEqual([0, waitMs])
    }),
  )

  const early = (headers = {}): Reply => ({
    status: 412,
    headers,
    body: '{"type":"https://x.example/docs#not-indexed-yet","detail":"base is indexed up to block 1"}',
  })
  const EARLY = early({ 'Retry-After': '2' })
  const minBlock = 'base:34160634'
  const WAITING = { waitForBlockMs: 60_000 }

  const early412 = { name: 'NotIndexedYetError', status: 412 }
  const other412 = { name: 'ApiError', status: 412, problem: undefined }

  test.each<[string, Reply, object, object?]>([
    ['a block that is not indexed yet, for which nobody waits', EARLY, early412],
    ['412 of another service', { status: 412, body: '{"type":"about:blank"}' }, other412, WAITING],
    ['500', { status: 500 }, { name: 'ApiError', status: 500 }],
    ...['healthy', '{"ok":true}', '[]', '[null]', '[{"id":1,"name":"Soon back"}]'].map(
      (body): [string, Reply, object] => [
        `200 of another service with ${body}`,
        { status: 200, body },
        {
          name: 'ApiError',
          message: 'The answer was 200, but has no events: is this the address of the service?',
        },
      ],
    ),
  ])('is an error at once, and not asked again: %s', (_, reply, error, options = {}) =>
    withReplies([reply, OK], async (baseUrl, times) => {
      const asked = createEventsClient(baseUrl).tokenEvents({ minBlock }, options)
      await expect(asked).rejects.toMatchObject(error)
      expect(times).toHaveLength(1)
    }),
  )

  test('a block that is waited for is asked for as often as Retry-After says', () =>
    withReplies([EARLY, { status: 503 }, EARLY, early(), OK], async (baseUrl, times) => {
      const waiting = createEventsClient(baseUrl, { retries: 1 })
      const asked = waiting.tokenEvents({ minBlock }, WAITING)

      expect((await hurried(asked)).records).toEqual([])
      const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0))
      // The second pause follows the 503, so it is as long as the pause before any other retry.
      expect(pauses).toEqual([2000, expect.any(Number), 2000, 1000])
      expect(pauses[1]).toBeLessThan(1000)
    }))

  test.each([1999, 2000, 5000])('a block is waited for no longer than %i ms', waitForBlockMs =>
    withReplies([EARLY], async (baseUrl, times) => {
      const options = { format: 'ndjson', waitForBlockMs } as const
      const parts = createEventsClient(baseUrl).exportTokenEvents({ minBlock }, options)

      await expect(hurried(parts.next())).rejects.toThrow(NotIndexedYetError)
      expect(times).toHaveLength(1 + Math.floor(waitForBlockMs / 2000))
    }),
  )

  test('when attempts run out, the error tells what was answered', () =>
    withReplies([{ status: 503 }], async (baseUrl, times) => {
      const failed = hurried(createEventsClient(baseUrl, { retries: 1 }).tokenEvents())

      await expect(failed).rejects.toThrow(UnavailableError)
      await expect(failed).rejects.toMatchObject({ status: 503, problem: undefined })
      expect(times).toHaveLength(2)
    }))

  test.each([
    ['csv', '[]'],
    ['csv', ''],
    ['csv', 'event,id,network\r\nMin'],
    ['ndjson', '[]\n'],
    ['ndjson', '{"event":"Minted"'],
    ['ndjson', ''],
    ['ndjson', '{"message":"down for maintenance"}\n'],
  ] as const)('an export in %s refuses what is none: %j', (format, body) =>
    withReplies([{ status: 200, body }], async (baseUrl, times) => {
      const parts = createEventsClient(baseUrl).exportTokenEvents({}, { format })

      await expect(parts.next()).rejects.toThrow(ApiError)
      expect(times).toHaveLength(1)
    }),
  )

  test.each([{}, { header: 'event,id,network' }])('a CSV does not go on with other columns: %j', given =>
    withReplies(
      ['event,id,network', 'event,id,network,new'].map(line => ({
        status: 200,
        headers: { link: '</v1/token-events?cursor=x>; rel="next"' },
        body: `${line}\r\n`,
      })),
      async baseUrl => {
        const parts = createEventsClient(baseUrl).exportTokenEvents({}, { format: 'csv', ...given })

        expect(await parts.next()).toMatchObject({ value: { header: 'event,id,network' } })
        await expect(parts.next()).rejects.toThrow(HeaderChangedError)
      },
    ),
  )

  test('an answer that takes too long is asked for again', () =>
    withReplies(['none', OK], async (baseUrl, times) => {
      const patient = createEventsClient(baseUrl, { timeoutMs: 100, retries: 1000 })

      expect((await hurried(patient.tokenEvents())).records).toEqual([])
      expect(times.length).toBeGreaterThanOrEqual(2)
    }))

  test('a web page can use an address relative to its own, and errors name the whole origin', async () => {
    const location = { href: 'https://page.example/shop/' }
    Object.assign(globalThis, { location })
    try {
      const fetch = jest.fn(() => Promise.reject(new TypeError('Failed to fetch')))
      const asked = createEventsClient('/prod', { fetch, retries: 2 }).tokenEvents()

      await expect(hurried(asked)).rejects.toThrow('https://page.example did not answer: Failed to fetch')
      expect(fetch).toHaveBeenCalledTimes(3)
    } finally {
      Reflect.deleteProperty(globalThis, 'location')
    }
  })

  test.each<[string, Reply]>([
    ['a request under way', 'none'],
    ['waiting for the next attempt', { status: 503, headers: { 'Retry-After': '30' } }],
    ['waiting for a block', EARLY],
  ])('%s ends when it is aborted', (_, reply) =>
    withReplies([reply], async (baseUrl, times) => {
      const reason = new Error('no longer wanted')
      const aborting = new AbortController()
      const asked = createEventsClient(baseUrl).tokenEvents({}, { signal: aborting.signal, ...WAITING })
      const isWaiting = () => times.length === 1 && (reply === 'none' || jest.getTimerCount() === 1)
      while (!isWaiting()) await setImmediate()
      aborting.abort(reason)

      await expect(asked).rejects.toBe(reason)
      expect(times).toHaveLength(1)
    }),
  )

  test('a request whose credentials never arrive ends in time, or when it is aborted', async () => {
    const authorize = jest.fn(() => new Promise<never>(() => undefined))
    const client = createEventsClient('http://127.0.0.1:9', { authorize, timeoutMs: 100, retries: 1 })

    await expect(hurried(client.tokenEvents())).rejects.toThrow(ConnectionError)
    expect(authorize).toHaveBeenCalledTimes(2)
    const aborted = client.tokenEvents({}, { signal: AbortSignal.abort(new Error('no longer wanted')) })
    await expect(aborted).rejects.toThrow('no longer wanted')
  })
})
