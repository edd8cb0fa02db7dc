import fc from 'fast-check'
import type { EventRecord } from '../../../lib/events/record.ts'
import { createInvariantCheck } from '../../../lib/ingest/load/check-invariants.ts'
import { makeEvent } from '../../support/records/make-event.ts'

const hash = (number: number) => `0x${number.toString(16).padStart(64, '0')}`

/** By default, the event's second equals its block number. */
function eventIn(
  blockNumber: number,
  { second = blockNumber, ...overrides }: Partial<EventRecord> & { second?: number } = {},
): EventRecord {
  const createdAt = new Date(second * 1000).toISOString()
  const block = { blockNumber, blockHash: hash(blockNumber), transactionHash: hash(blockNumber), createdAt }
  return makeEvent('OwnershipTransferred', { ...block, logIndex: 0, ...(overrides as object) })
}

const verdicts = (events: EventRecord[], options = {}) => {
  const checkInvariants = createInvariantCheck(options)
  return events.map(event => {
    const verdict = checkInvariants(event)
    return typeof verdict === 'string' ? verdict : verdict.rejection.reason
  })
}

describe('checking what events promise', () => {
  const [third, fifth, ninth] = [3, 5, 9].map(number => eventIn(number)) as [
    EventRecord,
    EventRecord,
    EventRecord,
  ]
  const timeAt = (second: number) => `1970-01-01T00:00:0${second}.000Z`

  it.each([
    [
      [fifth, eventIn(5, { blockHash: hash(9), logIndex: 1 })],
      `another event has a different hash for block 5: ${hash(5)}`,
    ],
    [
      [fifth, eventIn(5, { second: 6, logIndex: 1 })],
      `another event has a different time for block 5: ${timeAt(5)}`,
    ],
    [
      [third, fifth, ninth, eventIn(6, { second: 4 })],
      `block 6 has the time ${timeAt(4)}, but the lower block 5 has the later time ${timeAt(5)}`,
    ],
    [
      [third, fifth, ninth, eventIn(4, { second: 6 })],
      `block 4 has the time ${timeAt(6)}, but the higher block 5 has the earlier time ${timeAt(5)}`,
    ],
    [
      [fifth, eventIn(5, { transactionHash: hash(8) })],
      'another event already has the log index 0 in block 5',
    ],
    [
      [fifth, eventIn(6, { transactionHash: hash(5) })],
      `an event of block 5 already has the id base:${hash(5)}:0`,
    ],
  ])('says of the last event why it is rejected: %#', (events, reason) => {
    expect(verdicts(events).at(-1)).toBe(reason)
  })

  it('allows the same time in many blocks, and the same block numbers and hashes on several networks', () => {
    const sameTime = [1, 2, 3].map(number => eventIn(number, { second: 7 }))
    const elsewhere = eventIn(2, { network: 'polygon', second: 1 })
    expect(verdicts([...sameTime, elsewhere])).toEqual(['new', 'new', 'new', 'new'])
  })

  it('finds every conflict that looking at all earlier events would find', () => {
    // Few different values, so that most events conflict with others in one or several ways.
    const small = fc.tuple(fc.nat(6), fc.nat(6), fc.nat(2), fc.nat(2), fc.nat(3))
    fc.assert(
      fc.property(fc.array(small, { maxLength: 30 }), drawn => {
        const events = drawn.map(([number, second, hashed, logIndex, tx]) =>
          eventIn(number, { second, blockHash: hash(hashed % 2), logIndex, transactionHash: hash(tx) }),
        )
        const kept: EventRecord[] = []
        const expected = events.map(event => {
          if (kept.some(one => JSON.stringify(one) === JSON.stringify(event))) return 'duplicate'
          if (kept.some(one => conflict(one, event))) return 'conflict'
          kept.push(event)
          return 'new'
        })
        const found = verdicts(events).map(each => (/^(new|duplicate)$/.test(each) ? each : 'conflict'))
        expect(found).toEqual(expected)
      }),
      { numRuns: 100 },
    )
  })

  it('forgets the oldest events beyond its limit, and their blocks with them', () => {
    const events = [eventIn(1), eventIn(2), eventIn(2, { logIndex: 1 }), eventIn(3), eventIn(4)]
    const remembered = eventIn(2, { blockHash: hash(78), logIndex: 2 })
    const forgotten = eventIn(1, { blockHash: hash(77) })
    expect(verdicts([...events, remembered, forgotten], { maxEvents: 3 })).toEqual([
      ...events.map(() => 'new'),
      `another event has a different hash for block 2: ${hash(2)}`,
      'new',
    ])
  })
})

function conflict(one: EventRecord, other: EventRecord): boolean {
  const blocks = one.blockNumber - other.blockNumber
  const times = Date.parse(one.createdAt) - Date.parse(other.createdAt)
  if (one.id === other.id) return true
  if (blocks === 0) return one.blockHash !== other.blockHash || times !== 0 || one.logIndex === other.logIndex
  return blocks * times < 0
}
