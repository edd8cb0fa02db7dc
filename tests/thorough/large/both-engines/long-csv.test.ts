import { FORMATS as SERVED_FORMATS } from '../../../../lib/http/formats/formats.ts'
import { type HttpAnswer, nextUrl } from '../../../support/http/ask.ts'
import { readCsv } from '../../../support/http/read-csv.ts'
import { useServedEvents } from '../../../support/http/serve-events.ts'
import { linesOf } from '../../../support/http/walk.ts'
import { csvRowsOf } from '../../../support/oracle/csv-rows-of.ts'
import { expectRecords } from '../../../support/oracle/expect-records.ts'
import { ADDRESS_POOL } from '../../../support/records/arbitrary-fields.ts'
import { makeEvent } from '../../../support/records/make-event.ts'
import { type ApiRequest, requestOfUrl, tokenEvents } from '../../../support/requests/api-request.ts'
import { useEngine } from '../../../support/store/engine.ts'

const { jest } = import.meta
const engine = useEngine()

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

  async function walk(accept: string, headers: Record<string, string>, first = request) {
    const ask = (asked: ApiRequest) =>
      served.ask(asked, { format: 'http-api', headers: { ...headers, accept } })
    const pages = [await ask(first)]
    for (let next = nextUrl(pages[0] as HttpAnswer); next !== undefined; ) {
      const page = await ask(requestOfUrl(next))
      pages.push(page)
      next = nextUrl(page)
    }
    return pages
  }

  test('pages end early, and reading on by Link gives every row once', async () => {
    const pages = await walk('text/csv', { 'accept-encoding': 'gzip' })
    const rows = pages.flatMap(({ text }) => readCsv(text).rows)

    expect(rows.length).toBe(records.flatMap(csvRowsOf).length)
    expect(rows).toEqual(records.flatMap(csvRowsOf))
    for (const page of pages.slice(0, -1)) expect(page.headers).toMatchObject({ 'x-partial': 'true' })
    // Except for the page with the oversized batch, each page is as full as possible: one more record would make it too
    // long.
    expect(pages.length).toBeLessThanOrEqual(5)
  })

  test.each([
    ['Accept', request, 'text/csv'],
    [
      'format',
      { ...request, query: [...request.query, ['format', 'csv']] } satisfies ApiRequest,
      'text/html',
    ],
  ] as const)('a record with too many rows is refused without coding, by %s', async (_, asked, accept) => {
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
  })

  test('as lines, the same records are one page', async () => {
    const [page, ...others] = await walk('application/x-ndjson', {})

    expect(others).toEqual([])
    expectRecords(linesOf(page as HttpAnswer), records)
  })
})
