import { listsOf } from '../../../lib/events/lists.ts'
import { NETWORKS } from '../../../lib/events/networks.ts'
import { placeOf } from '../../../lib/events/place.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { itemBytes } from '../../../lib/inspect/item-cost.ts'
import {
  CHUNK_BYTES,
  type Item,
  itemsOf,
  MAX_INLINE_BYTES,
  positionIn,
} from '../../../lib/store/format/event-items.ts'
import { type DecodedItem, decodeItem } from '../../../lib/store/format/record-codec.ts'
import { longBatch, makeEvent } from '../../support/records/make-event.ts'

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

/** The record's text, with the prefix that states its length, takes exactly this number of bytes in an item. */
function recordOfSize(bytes: number): EventRecord {
  const lengthBytes = bytes < 2 ** 14 ? 2 : bytes < 2 ** 21 ? 3 : 4
  return makeEvent('Minted', { bucketHash: 'x'.repeat(bytes - lengthBytes) })
}

/** With `ofIds`, decodes only the items in lists of ids. Without it, decodes only the other items. */
const decoded = (record: EventRecord, entries: Item[], { ofIds = false } = {}): DecodedItem[] =>
  listsOf(record).flatMap((list, index) =>
    'tokenId' in list === ofIds
      ? decodeItem(entries[index]?.d as Buffer, positionIn(list, placeOf(record)))
      : [],
  )

/** In bytes. */
const responseOf = (records: EventRecord[]) =>
  Buffer.byteLength(JSON.stringify({ body: JSON.stringify(records) }))

const keyOf = ({ l, p }: Item) => `${l} ${p}`

describe('the items of an event', () => {
  it('puts an event into the lists of its network, its token and its users, in their roles', () => {
    const { entries } = itemsOf(transfer)
    const [token, one, two] = ['a', '1', '2'].map(digit => digit.repeat(40))
    const lists = [
      ...['all', 'all#TS', `t${token}`, `t${token}#TS`, `t${token}#1`],
      ...[`u${one}`, `u${one}#TS`, `u${one}#from`, `u${one}#operator`],
      ...[`u${two}`, `u${two}#TS`, `u${two}#to`],
    ]
    expect(entries.map(({ l }) => l).sort()).toEqual(lists.map(list => `${list}@base`).sort())
  })

  it('names networks in its keys by the short codes that existing tables contain', () => {
    const keys = NETWORKS.map(network => itemsOf({ ...transfer, network }).entries[0]?.l)
    expect(keys).toEqual(['arb', 'base', 'bnb', 'eth', 'pol'].map(code => `all@${code}`))
  })

  it('stands at its place in every list, with the whole record in less than 300 bytes and nothing else', () => {
    const { entries } = itemsOf(transfer)
    for (const entry of entries) {
      expect(entry.p).toBe('001685620805#000000000123#base######0000000007')
      expect(Object.keys(entry).join('')).toMatch(/^[lpdutxb]+$/)
      expect(itemBytes(entry)).toBeLessThan(300)
    }
    for (const { record } of decoded(transfer, entries)) expect(record).toEqual(transfer)
  })

  it('appears once in the index of transactions and of blocks, and in the others under its list over all networks', () => {
    const { entries } = itemsOf(transfer)
    const listed = entries.filter(({ x }) => x !== undefined)
    expect(listed).toMatchObject([{ l: 'all@base', x: transfer.transactionHash, b: 123 }])
    expect(entries.filter(({ b }) => b !== undefined)).toEqual(listed)
    for (const { l, u, t } of entries) {
      const path = String(l).replace('@base', '')
      expect({ u, t }).toEqual(/^[ut]/.test(path) ? { [path.charAt(0)]: path } : {})
    }
  })
})

describe('the items of a large event', () => {
  it.each([
    [MAX_INLINE_BYTES, 0],
    [MAX_INLINE_BYTES + 1, 1],
    [CHUNK_BYTES + 10_000, 2],
    [4 * 1024 * 1024, 12],
  ])('a long field of %i bytes is kept in %i pieces', (bytes, pieces) => {
    const record = recordOfSize(bytes)
    const { chunks, entries } = itemsOf(record)
    expect(chunks).toHaveLength(pieces)
    for (const { elsewhere } of decoded(record, entries)) {
      // Adds the two quotes of the record's JSON as a string, which `responseBytes` includes and the difference lacks.
      const responseBytes = responseOf([record]) - responseOf([]) + 2
      if (pieces === 0) expect(elsewhere).toBeUndefined()
      else expect(elsewhere).toMatchObject({ chunks: pieces, responseBytes })
    }
  })

  it('stores the ids of a batch only in `all`, and not in the list of each id', () => {
    const record = { ...transfer, event: 'TransferBatch', ...longBatch(40) } as EventRecord
    const { entries } = itemsOf(record)
    const ofIds = decoded(record, entries, { ofIds: true })
    expect(ofIds).toHaveLength(40)
    for (const { record, elsewhere } of ofIds) {
      expect(record).toMatchObject({ tokenIds: undefined, quantities: undefined })
      expect(elsewhere).toEqual({ isInAll: true, responseBytes: expect.any(Number) })
    }
    for (const entry of entries.slice(-40)) expect(itemBytes(entry)).toBeLessThanOrEqual(1024)
  })

  it('keeps the pieces of the same log in two blocks apart', () => {
    const large = recordOfSize(20_000)
    const orphan = { ...large, blockHash: `0x${'e'.repeat(64)}` }
    expect(itemsOf(large).chunks.map(keyOf)).not.toEqual(itemsOf(orphan).chunks.map(keyOf))
  })
})
