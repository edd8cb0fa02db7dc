import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import type { EventRecord } from '../../../lib/events/record.ts'
import { CSV_HEADER, csvRows } from '../../../lib/http/formats/csv.ts'
import { occurrencesOf } from '../../../lib/site/explorer/occurrence/occurrences-of.ts'
import { markCsv } from '../../../lib/site/explorer/state/read-file.ts'
import { eventSets } from '../../support/records/arbitrary-records.ts'
import { makeEvent } from '../../support/records/make-event.ts'

type Row = Record<string, string>

const csvOf = (records: readonly EventRecord[]) => CSV_HEADER + records.map(csvRows).join('')
const read = (csv: string): Row[] => parse(csv, { columns: true, record_delimiter: '\r\n' })

const ZERO = `0x${'0'.repeat(40)}`
/** Contains everything that a CSV reader could take for the end of a field. */
const bucketHash = '="a",\r\n""b'
const mint = makeEvent('Minted', { logIndex: 4, bucketHash, tokenId: '7', quantity: '5' })
const transfer = makeEvent('TransferSingle', { from: ZERO, tokenIds: ['7'], quantities: ['5'] })

test('of a batch, only the rows of the requested token are kept', () => {
  const batch = makeEvent('TransferBatch', { tokenIds: ['3', '7', '3'], quantities: ['1', '2', '4'] })
  const ofId = (tokenId: string) => read(markCsv(csvOf([batch, mint]), tokenId)).map(row => row.quantity)

  expect(ofId('3')).toEqual(['1', '4'])
  expect(ofId('7')).toEqual(['2', '5'])
})

test('a mint that is also listed as a transfer names the transfer, and the service’s columns stay as they are', () => {
  fc.assert(
    fc.property(eventSets({ blocks: 2, events: 6 }), records => {
      const [before, after] = [read(csvOf(records)), read(markCsv(csvOf(records)))]
      const pairs = occurrencesOf(records).filter(occurrence => occurrence.records.length > 1)
      const marked = new Set(after.flatMap(({ id, repeats }) => (repeats ? [`${id} ${repeats}`] : [])))
      const idsOf = (pair: (typeof pairs)[number]) =>
        pair.records.toSorted((a, b) => (a.event < b.event ? -1 : 1)).map(({ id }) => id)

      expect(after.map(({ repeats: _, ...row }) => row)).toEqual(before)
      // The name of a mint's kind comes before that of a transfer's kind.
      expect(marked).toEqual(new Set(pairs.map(pair => idsOf(pair).join(' '))))
    }),
    { numRuns: 10, examples: [[[mint, transfer]]] },
  )
})

test('a file without events has only a header', () => {
  expect(markCsv(CSV_HEADER)).toBe(CSV_HEADER.replace('\r\n', ',repeats\r\n'))
})
