import fc from 'fast-check'
import { type HttpAnswer, nextUrl } from '../../support/http/ask.ts'
import { FORMATS } from '../../support/http/http-events.ts'
import { readCsv } from '../../support/http/read-csv.ts'
import { useServedEvents } from '../../support/http/serve-events.ts'
import { eventsOf, linesOf } from '../../support/http/walk.ts'
import { CSV_COLUMNS, csvRowsOf } from '../../support/oracle/csv-rows-of.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import type { ApiRequest } from '../../support/requests/api-request.ts'
import { requestsOn } from '../../support/requests/arbitrary-requests.ts'
import { REQUEST_COUNT, SEED } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'

const RUNS = Math.ceil(REQUEST_COUNT / 5)
const engine = useEngine()
const JSON_TYPE = 'application/json'
const NDJSON = 'application/x-ndjson'
const CSV = 'text/csv'
const records = eventSetOf({ blocks: 8, events: 5, crowd: 40 }, SEED)
const served = useServedEvents(engine, records)

test(`a page is the same page in every format, by Accept or by the parameter, with the same headers (seed ${SEED})`, async () => {
  const drawn = fc.record({
    request: requestsOn(records),
    gateway: fc.constantFrom(...FORMATS),
    format: fc.constantFrom('json' as const, 'ndjson' as const, 'csv' as const),
    accept: fc.constantFrom(JSON_TYPE, NDJSON, CSV, 'text/html', 'image/png', '*/*;q=0'),
  })
  await fc.assert(
    fc.asyncProperty(drawn, async ({ request, gateway, format, accept }) => {
      const ask = (asked: ApiRequest, accept: string) =>
        served.ask(asked, { format: gateway, headers: { accept } })
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
