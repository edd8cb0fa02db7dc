import fc from 'fast-check'
import { parseRecord } from '../../../lib/events/parse-record.ts'
import { eventRecordSchema } from '../../../lib/events/record.ts'
import { eventSets } from '../../support/records/arbitrary-records.ts'

/** A record's field, and what is put in its place. */
const changes = fc.record({
  field: fc.nat(),
  value: fc.constantFrom(undefined, null, '', 'x', '0X00', -1, 0.5, 1, [], ['01'], ['1'], {}, 'Minted'),
  isAdded: fc.boolean(),
})

describe('parseRecord', () => {
  it('accepts and refuses what the record model does, and returns the same', () => {
    fc.assert(
      fc.property(eventSets({ blocks: 4, events: 4 }), changes, (records, { field, value, isAdded }) => {
        for (const record of records) {
          const names = Object.keys(record)
          const name = isAdded ? 'surplus' : (names[field % names.length] ?? '')
          for (const candidate of [record, { ...record, [name]: value }]) {
            const { success, data, error } = eventRecordSchema.safeParse(candidate)
            if (success) expect(JSON.stringify(parseRecord(candidate))).toBe(JSON.stringify(data))
            else expect(() => parseRecord(candidate)).toThrow(error.message)
          }
        }
      }),
      { numRuns: 30 },
    )
  })

  it.each([{}, { event: 'Burned' }, { event: 'Minted' }])('refuses what is no record: %p', candidate => {
    expect(() => parseRecord(candidate)).toThrow()
  })
})
