import type { EventRecord } from '../../../../lib/events/record.ts'
import { DEFAULT_LIMITS } from '../../../../lib/query/budget.ts'
import { serveEvents } from '../../../support/http/serve-events.ts'
import { eventsOf, walkByLink } from '../../../support/http/walk.ts'
import { expectRecords } from '../../../support/oracle/expect-records.ts'
import { walkAnswers } from '../../../support/query/walk-answers.ts'
import { ADDRESS_POOL } from '../../../support/records/arbitrary-fields.ts'
import { longBatch, makeEvent } from '../../../support/records/make-event.ts'
import { userEvents } from '../../../support/requests/api-request.ts'
import { useOwnEngine } from '../../../support/store/engine.ts'

const engine = useOwnEngine()

/** The maximum size of Lambda's response. */
const MAX_BYTES = 6 * 1024 * 1024
/** In a function's response, the body is a string inside JSON. */
const responseBytes = (body: string) => Buffer.byteLength(JSON.stringify(body))

describe('where a text within JSON is much longer than its JSON', () => {
  const address = ADDRESS_POOL[2]
  const block = { address, blockNumber: 7, createdAt: '2024-06-02T00:00:00.000Z' }
  const batches = (events: number, tokenIds: string[]): EventRecord[] =>
    Array.from({ length: events }, (_, logIndex) => {
      const ids = { tokenIds, quantities: tokenIds.map(() => '1') }
      return makeEvent('MintedBatch', { ...block, logIndex, token: address, owner: address, ...ids })
    })
  const shortIds = (count: number) => Array.from({ length: count }, (_, id) => String(id % 10))
  const texts = (events: number, bucketHash: string): EventRecord[] =>
    Array.from({ length: events }, (_, logIndex) =>
      makeEvent('Minted', { ...block, logIndex, creator: address, initialOwner: address, bucketHash }),
    )

  const oldestFirst = userEvents(address, 'createdAt=asc&limit=500')

  /** Expects each page to be nearly as large as possible. */
  function expectFull(pages: EventRecord[][], { records, limit }: { records: EventRecord[]; limit: number }) {
    expectRecords(pages.flat(), records)
    for (const page of pages) expect(responseBytes(JSON.stringify(page))).toBeLessThanOrEqual(limit)
    pages.slice(1).forEach(([next], before) => {
      const withOneMore = JSON.stringify([...(pages[before] ?? []), next])
      expect(responseBytes(withOneMore)).toBeGreaterThan(0.9 * limit)
    })
  }

  test.each([
    ['kept in chunks', texts(6, '"'.repeat(1_000_000))],
    ['within the items', texts(500, '"'.repeat(3_500))],
  ])('no page of texts of quotes that are %s is more than Lambda returns', async (_, records) => {
    expect(responseBytes(JSON.stringify(records))).toBeGreaterThan(DEFAULT_LIMITS.bodyBytes)
    const served = await serveEvents(engine, records)

    const pages = await walkByLink(served, oldestFirst, { format: 'http-api' })

    expectFull(pages.map(eventsOf), { records, limit: DEFAULT_LIMITS.bodyBytes })
    for (const page of pages) expect(responseBytes(page.text)).toBeLessThan(MAX_BYTES)
  })

  test.each([
    ['kept in chunks', batches(30, shortIds(1_400))],
    ['within the items', batches(30, shortIds(900))],
  ])('no page of short ids that are %s is more than its budget', async (_, records) => {
    const { store } = await serveEvents(engine, records)
    const limits = { ...DEFAULT_LIMITS, bodyBytes: 100_000 }
    const pages = (await walkAnswers(oldestFirst, () => ({ store, limits }))).map(page => page.records)

    expectFull(pages, { records, limit: limits.bodyBytes })
  })

  test.each([
    ['batches within the items', batches(500, shortIds(200))],
    ['batches that are kept in chunks', batches(500, longBatch(96).tokenIds)],
    ['texts that are kept in chunks', texts(500, 'x'.repeat(8_500))],
  ])('a page of %s is whole', async (_, records) => {
    const served = await serveEvents(engine, records)

    const { headers, body } = await served.ask(userEvents(address, [['limit', '500']]), 'http-api')

    expect(body).toHaveLength(500)
    expect(headers).not.toHaveProperty('x-partial')
  })
})
