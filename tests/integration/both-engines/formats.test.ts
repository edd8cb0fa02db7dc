import fc from 'fast-check'
import { type HttpAnswer, nextUrl } from '../../support/http/ask.ts'
import { FORMATS, type Format } from '../../support/http/http-events.ts'
import { readCsv } from '../../support/http/read-csv.ts'
import { type ServedEvents, serveEvents, useServedEvents } from '../../support/http/serve-events.ts'
import { eventsOf, linesOf } from '../../support/http/walk.ts'
import { CSV_COLUMNS, csvRowsOf } from '../../support/oracle/csv-rows-of.ts'
import { answer } from '../../support/oracle/oracle.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { type ApiRequest, tokenEvents } from '../../support/requests/api-request.ts'
import { requestsOn } from '../../support/requests/arbitrary-requests.ts'
import { spoiled } from '../../support/requests/spoiled-requests.ts'
import { REQUEST_COUNT, SEED } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'

const RUNS = Math.ceil(REQUEST_COUNT / 5)
const engine = useEngine()
const JSON_TYPE = 'application/json'
const NDJSON = 'application/x-ndjson'
const CSV = 'text/csv'
const UNKNOWN = ['text/html', 'image/png']

const askFor =
  (served: ServedEvents, format: Format = 'http-api') =>
  (request: ApiRequest, accept: string) =>
    served.ask(request, { format, headers: { accept } })

describe(`of the random events of seed ${SEED}`, () => {
  const records = eventSetOf({ blocks: 8, events: 5, crowd: 40 }, SEED)
  const requests = requestsOn(records)
  const served = useServedEvents(engine, records)

  test('a page is the same page in every format, by Accept or by the parameter, with the same headers', async () => {
    const drawn = fc.record({
      request: requests,
      gateway: fc.constantFrom(...FORMATS),
      format: fc.constantFrom('json' as const, 'ndjson' as const, 'csv' as const),
      accept: fc.constantFrom(JSON_TYPE, NDJSON, CSV, ...UNKNOWN, '*/*;q=0'),
    })
    await fc.assert(
      fc.asyncProperty(drawn, async ({ request, gateway, format, accept }) => {
        const ask = askFor(served, gateway)
        const [json, ndjson] = [await ask(request, JSON_TYPE), await ask(request, NDJSON)]
        const csv = await ask(request, CSV)
        const { columns, rows } = readCsv(csv.text)

        expect(linesOf(ndjson)).toEqual(eventsOf(json))
        expect(columns).toEqual(CSV_COLUMNS)
        expect(rows).toEqual(eventsOf(json).flatMap(csvRowsOf))
        expect(csv.text.endsWith('\r\n')).toBe(true)
        const types = [ndjson, csv].map(({ headers }) => headers['content-type'])
        expect(types).toEqual([NDJSON, 'text/csv; charset=utf-8'])
        for (const other of [ndjson, csv]) expect(sharedHeaders(other)).toEqual(sharedHeaders(json))
        expect(new Set([json, ndjson, csv].map(({ headers }) => headers.etag)).size).toBe(3)

        const named: ApiRequest = { ...request, query: [...request.query, ['format', format]] }
        const byAccept = { json, ndjson, csv }[format]
        const byFormat = await ask(named, accept)
        expect(byFormat.text).toBe(byAccept.text)
        expect(byFormat.headers['content-type']).toBe(byAccept.headers['content-type'])
        expect(nextUrl(byFormat) === undefined).toBe(nextUrl(byAccept) === undefined)
        expect({ ...sharedHeaders(byFormat), link: '' }).toEqual({ ...sharedHeaders(byAccept), link: '' })
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
