import fc from 'fast-check'
import type { EventRecord } from '../../../lib/events/record.ts'
import { CHUNK_BYTES, type Item, itemsOf, MAX_INLINE_BYTES } from '../../../lib/store/item.ts'
import { eventSets } from '../../support/records/arbitrary-records.ts'
import { longBatch, makeEvent } from '../../support/records/make-event.ts'

const ITEM_LIMIT_BYTES = 400 * 1024
const USER = (digit: string) => `0x${digit.repeat(40)}`

const transfer = makeEvent('TransferSingle', {
  address: USER('a'),
  blockNumber: 123,
  logIndex: 7,
  createdAt: '2023-06-01T12:00:05.000Z',
  operator: USER('1'),
  from: USER('1'),
  to: USER('2'),
})

/** A record whose JSON has exactly this many bytes. */
function recordOfSize(bytes: number): EventRecord {
  const minted = makeEvent('Minted', { bucketHash: '' })
  return { ...minted, bucketHash: 'x'.repeat(bytes - JSON.stringify(minted).length) }
}

/** The bytes of what a function returns to the gateway. */
const responseOf = (records: EventRecord[]) =>
  Buffer.byteLength(JSON.stringify({ body: JSON.stringify(records) }))

const keyOf = ({ list, place }: Item) => `${list} ${place}`

describe('the items of an event', () => {
  it('puts an event into the lists of its network, its token and its users, in their roles', () => {
    const { entries } = itemsOf(transfer)
    expect(entries.map(({ list }) => list).sort()).toEqual(
      [
        'all@base',
        'all#TransferSingle@base',
        `token#${USER('a')}@base`,
        `token#${USER('a')}#TransferSingle@base`,
        `user#${USER('1')}@base`,
        `user#${USER('1')}#TransferSingle@base`,
        `user#${USER('1')}#from@base`,
        `user#${USER('1')}#operator@base`,
        `user#${USER('2')}@base`,
        `user#${USER('2')}#TransferSingle@base`,
        `user#${USER('2')}#to@base`,
      ].sort(),
    )
  })

  it('stands at its place in every list, with the whole record but the id', () => {
    const { id: _id, ...fields } = transfer
    for (const entry of itemsOf(transfer).entries) {
      expect(entry).toMatchObject({ ...fields, place: '001685620805#000000000123#base######0000000007' })
      expect(entry).not.toHaveProperty('id')
    }
  })

  it('appears once in the index of transactions and of blocks, and in the others under its list over all networks', () => {
    const { entries } = itemsOf(transfer)
    const listed = entries.filter(({ transactionKey }) => transactionKey !== undefined)
    expect(listed).toMatchObject([
      { list: 'all@base', transactionKey: transfer.transactionHash, blockKey: 123 },
    ])
    expect(entries.filter(({ blockKey }) => blockKey !== undefined)).toEqual(listed)
    for (const { list, userList, tokenList } of entries) {
      const path = String(list).replace('@base', '')
      expect([userList, tokenList]).toEqual([
        path.startsWith('user') ? path : undefined,
        path.startsWith('token') ? path : undefined,
      ])
    }
  })

  it('never has the same key twice, for one event and for all events of a set', () => {
    fc.assert(
      fc.property(eventSets({ blocks: 3, events: 3 }), records => {
        const keys = records.flatMap(record => {
          const { chunks, entries } = itemsOf(record)
          return [...chunks, ...entries].map(keyOf)
        })
        expect(new Set(keys).size).toBe(keys.length)
      }),
      { numRuns: 30 },
    )
  })
})

describe('the items of a large event', () => {
  it.each([
    [MAX_INLINE_BYTES, 0],
    [MAX_INLINE_BYTES + 1, 1],
    [CHUNK_BYTES + 10_000, 2],
    [4 * 1024 * 1024, 12],
  ])('a record of %i bytes is kept in %i pieces', (bytes, pieces) => {
    const record = recordOfSize(bytes)
    const { chunks, entries } = itemsOf(record)
    expect(chunks).toHaveLength(pieces)
    for (const entry of entries) {
      expect(entry.chunks).toBe(pieces === 0 ? undefined : pieces)
      // The text has two quotes of its own.
      expect(entry.bytes).toBe(pieces === 0 ? undefined : responseOf([record]) - responseOf([]) + 2)
    }
  })

  it('gives back the long fields when the pieces are put together in the order of their keys', () => {
    const { tokenIds, quantities } = longBatch(10_000)
    const { chunks, entries } = itemsOf({ ...transfer, event: 'TransferBatch', tokenIds, quantities })
    const parts = chunks
      .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      .map(({ part }) => part as Uint8Array)
    expect(JSON.parse(Buffer.concat(parts).toString())).toEqual({ tokenIds, quantities })
    for (const entry of entries) expect(entry).not.toHaveProperty('tokenIds')
  })

  it('stays below the limit of an item with every piece and every entry', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 2_000_000 }), bytes => {
        const { chunks, entries } = itemsOf(recordOfSize(bytes))
        for (const chunk of chunks) {
          expect((chunk.part as Uint8Array).length + keyOf(chunk).length + 20).toBeLessThan(ITEM_LIMIT_BYTES)
        }
        for (const entry of entries) {
          expect(Buffer.byteLength(JSON.stringify(entry))).toBeLessThan(MAX_INLINE_BYTES + 1024)
        }
      }),
      { numRuns: 20 },
    )
  })

  it('keeps the pieces of the same log in two blocks apart', () => {
    const large = recordOfSize(20_000)
    const orphan = { ...large, blockHash: `0x${'e'.repeat(64)}` }
    expect(itemsOf(large).chunks.map(keyOf)).not.toEqual(itemsOf(orphan).chunks.map(keyOf))
  })
})
