import fc from 'fast-check'
import { FORMATS as SERVED_FORMATS } from '../../../lib/http/formats/formats.ts'
import { type HttpAnswer, nextUrl } from '../../support/http/ask.ts'
import { FORMATS, type Format } from '../../support/http/http-events.ts'
import { readCsv } from '../../support/http/read-csv.ts'
import { type ServedEvents, serveEvents, useServedEvents } from '../../support/http/serve-events.ts'
import { eventsOf, linesOf } from '../../support/http/walk.ts'
import { CSV_COLUMNS, csvRowsOf } from '../../support/oracle/csv-rows-of.ts'
import { expectPages } from '../../support/oracle/expect-pages.ts'
import { expectRecords } from '../../support/oracle/expect-records.ts'
import { answer } from '../../support/oracle/oracle.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { ADDRESS_POOL } from '../../support/records/arbitrary-fields.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import {
  type ApiRequest,
  requestOfUrl,
  tokenEvents,
  withoutParameters,
} from '../../support/requests/api-request.ts'
import { requestsOn } from '../../support/requests/arbitrary-requests.ts'
import { spoiled } from '../../support/requests/spoiled-requests.ts'
import { REQUEST_COUNT, SEED } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'

const { jest } = import.meta
const RUNS = Math.ceil(REQUEST_COUNT / 5)
const engine = useEngine()
const JSON_TYPE = 'application/json'
const NDJSON = 'application/x-ndjson'
const CSV = 'text/csv'
const UNKNOWN = ['text/html', 'image/png']
const TYPES = { json: JSON_TYPE, ndjson: NDJSON, csv: CSV }

const askFor =
  (served: ServedEvents, format: Format = 'http-api', headers: Record<string, string> = {}) =>
  (request: ApiRequest, accept: string) =>
    served.ask(request, { format, headers: { ...headers, accept } })

describe(`of the random events of seed ${SEED}`, () => {
  const records = eventSetOf({ blocks: 8, events: 5, crowd: 40 }, SEED)
  const requests = requestsOn(records)
  const served = useServedEvents(engine, records)

  test('a page is the same page in every format, with the same headers', async () => {
    const asked = fc.record({ request: requests, format: fc.constantFrom(...FORMATS) })
    await fc.assert(
      fc.asyncProperty(asked, async ({ request, format }) => {
        const ask = askFor(served, format)
        const page = await ask(request, JSON_TYPE)
        const lines = await ask(request, NDJSON)
        const csv = await ask(request, CSV)
        const { columns, rows } = readCsv(csv.text)

        expect(linesOf(lines)).toEqual(eventsOf(page))
        expect(columns).toEqual(CSV_COLUMNS)
        expect(rows).toEqual(eventsOf(page).flatMap(csvRowsOf))
        expect(csv.text.endsWith('\r\n')).toBe(true)
        expect([lines.headers['content-type'], csv.headers['content-type']]).toEqual([
          NDJSON,
          'text/csv; charset=utf-8',
        ])
        for (const other of [lines, csv]) expect(sharedHeaders(other)).toEqual(sharedHeaders(page))
        const tags = [page, lines, csv].map(({ headers }) => headers.etag)
        expect(new Set(tags).size).toBe(3)
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })

  /** The headers that depend neither on the format nor on the duration of the read. */
  function sharedHeaders({ headers }: HttpAnswer) {
    const { 'content-type': _, etag: __, 'server-timing': ___, 'content-encoding': ____, ...shared } = headers
    return shared
  }

  test('a wrong request is refused in JSON, whatever the caller accepts', async () => {
    const accepts = fc.constantFrom(CSV, NDJSON, ...UNKNOWN)
    await fc.assert(
      fc.asyncProperty(spoiled(requests), accepts, async (request, accept) => {
        const answered = await askFor(served)(request, accept)
        const expected = answer(records, request)
        const isNamed = expected.status === 200 && expected.format !== undefined
        const status = expected.status === 400 ? 400 : UNKNOWN.includes(accept) && !isNamed ? 406 : 200

        expect(answered.status).toBe(status)
        if (status !== 200) expect(answered.headers['content-type']).toBe(JSON_TYPE)
      }),
      { seed: SEED, numRuns: Math.ceil(RUNS / 5) },
    )
  })

  test('no events are a header line in CSV, and nothing at all in lines', async () => {
    const nothing = tokenEvents([['transactionHash', `0x${'9'.repeat(64)}`]])
    const ask = askFor(served)

    expect((await ask(nothing, CSV)).text).toBe(`${CSV_COLUMNS.join(',')}\r\n`)
    expect(await ask(nothing, NDJSON)).toMatchObject({ status: 200, text: '' })
  })

  test('a cursor of one format goes on in another', async () => {
    const ask = askFor(served)
    const first = await ask(tokenEvents([['limit', '7']]), CSV)
    const second = await ask(requestOfUrl(nextUrl(first) ?? ''), NDJSON)
    const ids = readCsv(first.text).rows.map(({ id }) => id)

    const both = [...new Set(ids), ...linesOf(second).map(({ id }) => id)]
    expect(both).toEqual(validAnswer(records, tokenEvents([['limit', '14']])).events.map(({ id }) => id))
  })

  test('a page by format is the page by Accept, whatever Accept says beside it', async () => {
    const asked = fc.record({
      request: requests,
      format: fc.constantFrom(...Object.entries(TYPES)),
      accept: fc.constantFrom(JSON_TYPE, NDJSON, CSV, ...UNKNOWN, '*/*;q=0'),
    })
    await fc.assert(
      fc.asyncProperty(asked, async ({ request, format: [name, type], accept }) => {
        const named: ApiRequest = { ...request, query: [...request.query, ['format', name]] }
        const byAccept = await askFor(served)(request, type)
        const byFormat = await askFor(served)(named, accept)

        expect(byFormat.text).toBe(byAccept.text)
        expect(byFormat.headers['content-type']).toBe(byAccept.headers['content-type'])
        expect(nextUrl(byFormat) === undefined).toBe(nextUrl(byAccept) === undefined)
        expect({ ...sharedHeaders(byFormat), link: '' }).toEqual({ ...sharedHeaders(byAccept), link: '' })
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })

  test.each(Object.keys(TYPES))(
    'Link keeps format=%s, and its cursor goes on in any format',
    async format => {
      const ask = askFor(served)
      const first = await ask(tokenEvents(`limit=7&format=${format}`), 'text/html')
      const { query } = requestOfUrl(nextUrl(first) ?? '')
      const rest = withoutParameters(query, 'format')
      const expected = validAnswer(records, tokenEvents([['limit', '14']])).events.slice(7)

      expect(query).toContainEqual(['format', format])
      expectRecords(eventsOf(await ask(tokenEvents(rest), JSON_TYPE)), expected)
      for (const other of Object.keys(TYPES)) {
        const page = await ask(tokenEvents([...rest, ['format', other]]), 'text/html')
        expectPages([page], { records: expected, format: other })
      }
    },
  )

  test('a wrong request is refused in JSON and by name, whatever its format is', async () => {
    const { status, headers, body } = await askFor(served)(tokenEvents('format=csv&limit=0'), CSV)

    expect([status, headers['content-type']]).toEqual([400, JSON_TYPE])
    expect(body).toMatchObject({ errors: [{ parameter: 'limit' }] })
  })
})

test.each(['text/html', 'text/plain, image/*', 'application/json;q=0, text/csv;q=0'])(
  'who accepts only %s is told what there is, and nothing is read',
  async accept => {
    const served = await serveEvents(engine, [])
    const { status, headers, body } = await askFor(served)(tokenEvents(), accept)

    expect(status).toBe(406)
    expect(headers).toMatchObject({ 'content-type': JSON_TYPE, vary: 'Accept, Accept-Encoding' })
    expect(body).toMatchObject({ status: 406, type: expect.stringMatching(/#not-acceptable$/) })
    expect(served.readCount()).toBe(0)
  },
)

describe('where CSV is much longer than JSON', () => {
  const address = ADDRESS_POOL[2]
  const [MANY, TOO_MANY] = [2_500, 20_000]
  const batchOf = (ids: number, logIndex: number) =>
    makeEvent('TransferBatch', {
      address,
      logIndex,
      // Only three different ids, so that the events are in few lists and quickly written.
      tokenIds: Array.from({ length: ids }, (_, id) => String(id % 3)),
      quantities: Array.from({ length: ids }, (_, id) => String(id)),
    })
  const batches = Array.from({ length: 12 }, (_, logIndex) => batchOf(MANY, logIndex))
  const records = [...batches.slice(0, 6), batchOf(TOO_MANY, 6), ...batches.slice(7)]
  const request = tokenEvents(`address=${address}&createdAt=asc&limit=500`)
  /** Lambda's maximum for a response, in which the body is a string within JSON. */
  const MAX_BYTES = 6 * 1024 * 1024
  const served = useServedEvents(engine, records)

  async function walk(
    accept: string,
    headers: Record<string, string>,
    first = request,
  ): Promise<HttpAnswer[]> {
    const ask = askFor(served, 'http-api', headers)
    const pages = [await ask(first, accept)]
    for (let next = nextUrl(pages[0] as HttpAnswer); next !== undefined; ) {
      const page = await ask(requestOfUrl(next), accept)
      pages.push(page)
      next = nextUrl(page)
    }
    return pages
  }

  test('pages end early, and reading on by Link gives every row once', async () => {
    const pages = await walk(CSV, { 'accept-encoding': 'gzip' })
    const rows = pages.flatMap(({ text }) => readCsv(text).rows)

    expect(rows.length).toBe(records.flatMap(csvRowsOf).length)
    expect(rows).toEqual(records.flatMap(csvRowsOf))
    for (const page of pages.slice(0, -1)) expect(page.headers).toMatchObject({ 'x-partial': 'true' })
    // Except for the page with the oversized batch, each page is as full as possible: one more record would make it too
    // long.
    expect(pages.length).toBeLessThanOrEqual(5)
  })

  test.each([
    ['Accept', request, CSV],
    [
      'format',
      { ...request, query: [...request.query, ['format', 'csv']] } satisfies ApiRequest,
      'text/html',
    ],
  ] as const)(
    'a record whose rows alone are too many is refused to who takes no coding, by %s, named and never written',
    async (_, asked, accept) => {
      const write = jest.spyOn(SERVED_FORMATS['text/csv'], 'write')
      const pages = await walk(accept, {}, asked)
      const written = write.mock.calls.map(([records]) => records)
      write.mockRestore()
      const last = pages.at(-1)

      expect(written.flat().length).toBe(6)

      for (const { text } of pages) expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(MAX_BYTES)
      expect(pages.slice(0, -1).flatMap(({ text }) => readCsv(text).rows)).toEqual(
        records.slice(0, 6).flatMap(csvRowsOf),
      )
      expect(last).toMatchObject({
        status: 406,
        body: { detail: expect.stringContaining(records[6]?.id ?? '') },
      })
    },
  )

  test.each([
    ['lines', NDJSON, linesOf],
    ['JSON', JSON_TYPE, eventsOf],
  ])('in %s the same records are one page', async (_, accept, read) => {
    const [page, ...others] = await walk(accept, {})

    expect(others).toEqual([])
    expectRecords(read(page as HttpAnswer), records)
  })
})
