import fc from 'fast-check'
import type { $ZodType } from 'zod/v4/core'
import { parseRecord } from '../../../lib/events/parse-record.ts'
import { type EventRecord, eventRecordSchema } from '../../../lib/events/record.ts'
import { eventSetOf, eventSets } from '../../support/records/arbitrary-records.ts'

const batch: EventRecord = {
  id: `base:0x${'ab'.repeat(32)}:3`,
  event: 'TransferBatch',
  network: 'base',
  address: `0x${'01'.repeat(20)}`,
  blockNumber: 5,
  blockHash: `0x${'cd'.repeat(32)}`,
  transactionHash: `0x${'ab'.repeat(32)}`,
  logIndex: 3,
  createdAt: '2023-06-02T00:00:00.000Z',
  operator: `0x${'02'.repeat(20)}`,
  from: `0x${'03'.repeat(20)}`,
  to: `0x${'04'.repeat(20)}`,
  tokenIds: ['1', '2', '3'],
  quantities: ['1', '1', '1'],
}

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

  it('asks the model about nothing that is as it should be', () => {
    const fields = eventRecordSchema.def.options.flatMap(({ shape }): $ZodType[] => Object.values(shape))
    let asked = 0
    for (const { _zod } of [eventRecordSchema, ...new Set(fields)]) {
      const { run } = _zod
      _zod.run = (payload: never, context) => {
        asked += 1
        return run(payload, context)
      }
    }

    for (const record of [batch, ...eventSetOf({ blocks: 9, events: 9 }, 1)]) parseRecord(record)
    expect(asked).toBe(0)
    expect(() => parseRecord({ ...batch, logIndex: -1 })).toThrow()
    expect(asked).toBeGreaterThan(1)
  })

  it.each([[[]], [['1', '1']], [['1', '1', '1', '1']]])(
    'refuses three ids with the quantities %j',
    quantities => {
      expect(parseRecord(batch)).toEqual(batch)
      expect(() => parseRecord({ ...batch, quantities })).toThrow(
        `3 tokenIds with ${quantities.length} quantities`,
      )
    },
  )

  it.each([{}, { event: 'Burned' }, { event: 'Minted' }])('refuses what is no record: %p', candidate => {
    expect(() => parseRecord(candidate)).toThrow()
  })
})
