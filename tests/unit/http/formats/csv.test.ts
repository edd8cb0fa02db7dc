import fc from 'fast-check'
import { CSV_HEADER, columnsFor, csvBytes, csvLength, csvRows } from '../../../../lib/http/formats/csv.ts'
import { readCsv } from '../../../support/http/read-csv.ts'
import { CSV_COLUMNS, csvRowsOf } from '../../../support/oracle/csv-rows-of.ts'
import { eventSetOf } from '../../../support/records/arbitrary-records.ts'
import { makeEvent } from '../../../support/records/make-event.ts'
import { SEED } from '../../../support/runner/test-size.ts'

/** The columns of the first version, of which `quantity` is the last. */
const FIRST_COLUMNS = CSV_COLUMNS.slice(0, CSV_COLUMNS.indexOf('quantity') + 1)

const rowsOf = (...records: Parameters<typeof csvRows>[0][]) =>
  readCsv(CSV_HEADER + records.map(csvRows).join('')).rows

test('a field that a later version adds has its column after all earlier ones', () => {
  const fields = ['event', 'spender', ...FIRST_COLUMNS.toReversed(), 'tokenIds', 'quantities', 'memo']

  expect(columnsFor(fields)).toEqual([...FIRST_COLUMNS, 'spender', 'memo'])
  expect(CSV_HEADER).toBe(`${CSV_COLUMNS.join()}\r\n`)
})

const FORMULAS = ['=HYPERLINK("https://evil.example";"x")', '+1+1', '-2+3', '@SUM(A1)', '\t=1', '\r=1']
const PLAIN = ['a=1', '', "'=1", ' =1', 'a,b', 'say "hi"', 'two\r\nlines\n', '𝔹ücket ✓\u0000']

test('any string is read unchanged, and a formula with one apostrophe in front', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), bucketHash => {
      const record = makeEvent('Minted', { bucketHash })
      expect(rowsOf(record)).toEqual(csvRowsOf(record))
    }),
    { seed: SEED, examples: [...FORMULAS, ...PLAIN].map(text => [text]) },
  )
})

test('the size of rows in a response is known without writing them', () => {
  const records = eventSetOf({ blocks: 6, events: 6 }, SEED)
  const quotes = makeEvent('Minted', { bucketHash: '"\n\u0000é'.repeat(100) })
  for (const record of [...records, quotes, makeEvent('MintedBatch', { tokenIds: [], quantities: [] })]) {
    expect(csvBytes(record)).toBe(Buffer.byteLength(JSON.stringify(csvRows(record))) - 2)
    expect(csvLength(record)).toBe((CSV_HEADER + csvRows(record)).length)
  }
})
