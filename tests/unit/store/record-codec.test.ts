import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { NETWORKS } from '../../../lib/events/networks.ts'
import { MAX_LOG_INDEX, placeOf } from '../../../lib/events/place.ts'
import { type EventRecord, eventRecordSchema } from '../../../lib/events/record.ts'
import { recordId } from '../../../lib/events/record-fields.ts'
import {
  decodeItem,
  encodeItem,
  type ItemPosition,
  packRecord,
  withLongField,
} from '../../../lib/store/format/record-codec.ts'
import { eventFields } from '../../support/records/arbitrary-fields.ts'
import { longBatch, makeEvent } from '../../support/records/make-event.ts'

const hash = fc.stringMatching(/^0x[0-9a-f]{64}$/)

/** Every record that the model allows, in any network and block. */
const records: fc.Arbitrary<EventRecord> = fc
  .record({
    fields: eventFields(),
    network: fc.constantFrom(...NETWORKS),
    blockNumber: fc.oneof(fc.nat(), fc.constant(999_999_999_999)),
    blockHash: hash,
    transactionHash: hash,
    logIndex: fc.oneof(fc.nat(300), fc.constant(MAX_LOG_INDEX)),
    seconds: fc.oneof(fc.nat(), fc.constant(253_402_300_799)),
  })
  .map(({ fields, seconds, ...placed }) => {
    const { event, ...own } = fields
    const createdAt = new Date(seconds * 1000).toISOString()
    return { event, id: recordId(placed), ...placed, createdAt, ...own } as EventRecord
  })

const OPTIONS = {
  maxInlineBytes: 4096,
  maxShortBytes: 512,
  chunkBytes: 358_400,
  responseBytes: () => 123_456,
}

/** A position in the list of one of the record's addresses (the owner), or in `all`, which has no owner. */
const positions = (record: EventRecord): fc.Arbitrary<ItemPosition> =>
  fc
    .constantFrom(...Object.values(record).filter(value => /^0x[0-9a-f]{40}$/.test(String(value))), undefined)
    .map(owner => ({
      path: owner === undefined ? 'all' : `u${owner}`,
      owner: owner as string | undefined,
      place: placeOf(record),
    }))

const stored = records.chain(record => positions(record).map(at => ({ record, at })))

function roundTrip(record: EventRecord, at: ItemPosition): EventRecord {
  const packed = packRecord(record, OPTIONS)
  const decoded = decodeItem(encodeItem(packed, at), at)
  return packed.longField ? withLongField(decoded, packed.longField) : decoded.record
}

test('a record is read back as it was written, its fields in the order of the model', () => {
  fc.assert(
    fc.property(stored, ({ record, at }) => {
      expect(JSON.stringify(roundTrip(record, at))).toBe(JSON.stringify(eventRecordSchema.parse(record)))
    }),
  )
})

/** The bytes are written in hex, where `a1*20` stands for twenty bytes `a1`. */
describe('the bytes of version 1, in which tables are stored', () => {
  const [address = '', ada = '', bob = ''] = ['70', 'a1', 'b0'].map(digits => `0x${digits.repeat(20)}`)
  const nothing = { tokenIds: [], quantities: [] }
  const long = 'x'.repeat(400_000)

  /** Events have the users `ada` and `bob` unless they are given others. */
  test.each<[string, EventRecord, string | undefined, bytes: string]>([
    [
      'of a mint in a list of its contract',
      makeEvent('Minted', { address, bucketHash: 'ü', tokenId: '256', quantity: '0' }),
      address,
      '1002 a1*20 b0*20 cd*32 ab*32 02c3bc 020100 00',
    ],
    [
      'of a mint of a batch without ids in a list of all',
      makeEvent('MintedBatch', { address, token: bob, owner: ada, ...nothing }),
      undefined,
      '1100 70*20 b0*20 a1*20 cd*32 ab*32 00',
    ],
    [
      'of a transfer in a list of who sends and operates',
      makeEvent('TransferSingle', { address }),
      ada,
      '120c 70*20 b0*20 cd*32 ab*32 01 0101 0102',
    ],
    [
      'of a transfer of a batch in a list of who receives',
      makeEvent('TransferBatch', { address, tokenIds: ['1', '0'], quantities: ['65536', '128'] }),
      bob,
      '1310 70*20 a1*40 cd*32 ab*32 02 0101 03010000 00 0180',
    ],
    [
      'of an ownership transfer in a list of the new owner',
      makeEvent('OwnershipTransferred', { address }),
      bob,
      '1408 70*20 a1*20 cd*32 ab*32',
    ],
    [
      'of a long text that is kept in chunks',
      makeEvent('Minted', { address, bucketHash: long }),
      undefined,
      // `c0c407` is 123,456 as a varint.
      `1001 70*20 a1*20 b0*20 cd*32 ab*32 02 c0c407 ${crcOf(long)} 0101 0102`,
    ],
  ])('are those %s', (_, record, owner, bytes) => {
    const at = { path: owner === undefined ? 'all' : `u${owner.slice(2)}#to`, owner, place: placeOf(record) }
    const hex = bytes.split(' ').map(each => {
      const [part = '', times = '1'] = each.split('*')
      return part.repeat(Number(times))
    })
    const body = Buffer.from(hex.join(''), 'hex')
    const checksum = Buffer.alloc(4)
    checksum.writeUInt32BE(crc32(Buffer.concat([Buffer.from(`${at.path} ${at.place}`), body])))

    expect(encodeItem(packRecord(record, OPTIONS), at).toString('hex')).toBe(
      Buffer.concat([body, checksum]).toString('hex'),
    )
  })

  /** The hashed bytes are the length 400,000 as a varint, followed by the text. */
  function crcOf(long: string): string {
    const checksum = Buffer.alloc(4)
    checksum.writeUInt32BE(crc32(Buffer.concat([Buffer.from('80b518', 'hex'), Buffer.from(long)])))
    return checksum.toString('hex')
  }
})

const [BATCH] = fc.sample(
  records.filter(({ event }) => event === 'TransferBatch'),
  { seed: 1, numRuns: 1 },
) as [EventRecord]

function withFlippedBit(bytes: Buffer, bit: number): Buffer {
  const changed = Buffer.from(bytes)
  const at = (bit >> 3) % bytes.length
  changed[at] = (changed[at] ?? 0) ^ (1 << (bit & 7))
  return changed
}

test('no flipped bit of an item goes unnoticed, and no truncation', () => {
  fc.assert(
    fc.property(stored, fc.nat(), ({ record, at }, bit) => {
      const data = encodeItem(packRecord(record, OPTIONS), at)
      expect(() => decodeItem(withFlippedBit(data, bit), at)).toThrow(TypeError)
      expect(() => decodeItem(data.subarray(0, bit % data.length), at)).toThrow(TypeError)
    }),
    { numRuns: 1000 },
  )
})

test('no changed byte of a long field goes unnoticed', () => {
  const at = { path: 'all', owner: undefined, place: placeOf(BATCH) }
  const packed = packRecord({ ...BATCH, ...longBatch(200) } as EventRecord, OPTIONS)
  const decoded = decodeItem(encodeItem(packed, at), at)
  const long = packed.longField as Buffer
  for (const index of long.keys()) {
    expect(() => withLongField(decoded, withFlippedBit(long, 8 * index))).toThrow(TypeError)
  }
})

test('an item of another version is refused, and says which program has written it', () => {
  const at = { path: 'all', owner: undefined, place: placeOf(BATCH) }
  const data = encodeItem(packRecord(BATCH, OPTIONS), at)
  data[0] = (2 << 4) | ((data[0] ?? 0) & 15)
  expect(() => decodeItem(data, at)).toThrow(
    'The item has version 2 of the format, but this program reads version 1: a newer program wrote it',
  )
})

test.each<[string, Partial<EventRecord>]>([
  ['an address that is none', { address: '0x12' }],
  ['a hash that is none', { blockHash: `${'0'.repeat(66)}` }],
  ['a number beyond 256 bits', { quantities: [String(2n ** 256n)], tokenIds: ['1'] } as Partial<EventRecord>],
  ['a number below 0', { quantities: ['-1'], tokenIds: ['1'] } as Partial<EventRecord>],
  ['ids without quantities', { tokenIds: ['1'], quantities: [] } as Partial<EventRecord>],
])('a record with %s is not packed', (_, wrong) => {
  const record = { ...BATCH, ...wrong } as EventRecord
  const at = { path: 'all', owner: undefined, place: placeOf(BATCH) }
  expect(() => encodeItem(packRecord(record, OPTIONS), at)).toThrow(RangeError)
})
