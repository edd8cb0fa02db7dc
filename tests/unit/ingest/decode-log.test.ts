import fc from 'fast-check'
import { encodeAbiParameters, type Hex } from 'viem'
import { decodeLog } from '../../../lib/chain/logs/decode-log.ts'
import { KNOWN_EVENTS, type KnownEvent } from '../../../lib/chain/logs/event-declarations.ts'
import { prepareDecoders } from '../../../lib/chain/logs/event-decoders.ts'
import { parseRawLog, type RawLog } from '../../../lib/chain/logs/raw-log.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { MAX_RECORD_BYTES } from '../../../lib/events/record-fields.ts'
import { eventSets } from '../../support/records/arbitrary-records.ts'
import { makeEvent } from '../../support/records/make-event.ts'
import { rawLogOf } from '../../support/records/raw-log-of.ts'

function logOf(record: EventRecord, overrides: Partial<RawLog> = {}): RawLog {
  const parsed = parseRawLog({ ...rawLogOf(record), ...overrides })
  if ('rejection' in parsed) throw new Error(parsed.rejection.reason)
  return parsed.log
}

const decoded = (log: RawLog, table?: KnownEvent[]) => decodeLog(log, table && prepareDecoders(table))

const rejectionOf = (log: RawLog, table?: KnownEvent[]) => {
  const result = decoded(log, table)
  return 'rejection' in result ? result.rejection : undefined
}

const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, '0')

describe('decoding a log', () => {
  it('gives back every event that a contract can emit', () => {
    fc.assert(
      fc.property(eventSets({ blocks: 2, events: 3 }), records => {
        for (const record of records) expect(decoded(logOf(record))).toEqual({ record })
      }),
      { numRuns: 20 },
    )
  })

  it('keeps a string exactly, even an empty one, or one with a byte order mark or a zero', () => {
    for (const bucketHash of ['\uFEFFx', 'a\u0000b', '', '𝔹 ✓']) {
      expect(decoded(logOf(makeEvent('Minted', { bucketHash })))).toMatchObject({ record: { bucketHash } })
    }
  })
})

describe('a log that is not decoded', () => {
  const single = makeEvent('TransferSingle')
  const { topics, data } = logOf(single)
  const owned = makeEvent('OwnershipTransferred')
  const batch = logOf(makeEvent('TransferBatch', { tokenIds: ['1', '2'], quantities: ['3', '4'] }))

  it('has other indexed parameters than the known event', () => {
    const fewer = logOf(single, { topics: topics.slice(0, 3), data: `0x${word(1)}${data.slice(2)}` })
    expect(rejectionOf(fewer)).toEqual({
      code: 'other-parameters',
      reason: expect.stringMatching(
        /^a log with 3 topics does not fit TransferSingle\(address indexed operator, /,
      ),
    })
    const none = logOf(owned, { data: `0x${word(1)}${word(2)}` })
    expect(rejectionOf({ ...none, topics: none.topics.slice(0, 1) })?.code).toBe('other-parameters')
  })

  const hostile = (...words: bigint[]) => ({ ...batch, data: `0x${words.map(word).join('')}` })

  it.each<[string, RawLog, code?: string]>([
    ['no topics', logOf(single, { topics: [] }), 'unknown-event'],
    ['a topic that no known event has', logOf(single, { topics: [`0x${'12'.repeat(32)}`] }), 'unknown-event'],
    ['no data', logOf(single, { data: '0x' })],
    ['data, although its event has none', logOf(owned, { data: '0x00' })],
    ['an offset far outside', hostile(2n ** 255n, 0x60n, 0n, 0n)],
    ['a length of nearly 2^256', hostile(0x40n, 0x60n, 2n ** 256n - 1n, 0n)],
    ['both lists in the same place', hostile(0x40n, 0x40n, 1n, 5n)],
    ['the second list before the first', hostile(0x80n, 0x40n, 1n, 5n, 1n, 6n)],
  ])('has %s', (_, log, code = 'bad-encoding') => {
    expect(rejectionOf(log)?.code).toBe(code)
  })

  it('has more ids than quantities', () => {
    const types = [{ type: 'uint256[]' }, { type: 'uint256[]' }] as const
    const uneven = { ...batch, data: encodeAbiParameters(types, [[1n, 2n], [3n]]) }
    expect(rejectionOf(uneven)).toEqual({
      code: 'bad-values',
      reason: 'the number of tokenIds is 2, but the number of quantities is 1',
    })
  })

  it('has a string that is not UTF-8, or that is not padded with zeros', () => {
    const minted = logOf(makeEvent('Minted', { bucketHash: 'ab' }))
    const withText = (bytes: string) => ({ ...minted, data: minted.data.replace('61620000', bytes) })
    expect(rejectionOf(withText('c3280000'))?.reason).toBe('bucketHash is not valid UTF-8')
    expect(rejectionOf(withText('61620001'))?.code).toBe('bad-encoding')
  })

  it('would become a record that is too long for any answer', () => {
    const bucketHash = 'x'.repeat(MAX_RECORD_BYTES - 4096)
    expect(decoded(logOf(makeEvent('Minted', { bucketHash })))).toMatchObject({ record: { bucketHash } })
    const reason = /^its record would take \d+ bytes of a response, but the limit is 4194304$/
    for (const [letter, bytes] of Object.entries({ '\u0001': 7, '"': 4 })) {
      const tooLong = logOf(makeEvent('Minted', { bucketHash: letter.repeat(MAX_RECORD_BYTES / bytes) }))
      expect(rejectionOf(tooLong)).toEqual({ code: 'bad-values', reason: expect.stringMatching(reason) })
    }
  })
})

describe('a changed log', () => {
  const byte = fc.nat(255)
  const wordOf = (each: number) => Array<number>(32).fill(each)
  /** At any byte or at the beginning of a word, removes some bytes and puts in others, such as a word of zeros. */
  const change = fc.record({
    at: fc.oneof(
      fc.nat(2000),
      fc.nat(60).map(at => 32 * at),
    ),
    removed: fc.constantFrom(0, 1, 1, 31, 32, 64),
    put: fc.oneof(fc.array(byte, { maxLength: 2 }), byte.map(wordOf), fc.constant(wordOf(0))),
  })
  type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

  it('is rejected, or decoded to a record that encodes to exactly the changed bytes', () => {
    fc.assert(
      fc.property(
        eventSets({ blocks: 1, events: 2 }),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (records, edits, inTopics) => {
          for (const record of records) {
            const log = logOf(record)
            const changed = inTopics ? withTopics(log, edits) : { ...log, data: edited(log.data, edits) }
            const result = decoded(changed)
            if ('rejection' in result) continue
            const { topics, data } = rawLogOf(result.record)
            expect({ topics, data }).toEqual({ topics: changed.topics, data: changed.data })
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  function edited(hex: string, edits: Change[]): string {
    const bytes = [...Buffer.from(hex.slice(2), 'hex')]
    for (const { at, removed, put } of edits) bytes.splice(at % (bytes.length + 1), removed, ...put)
    return `0x${Buffer.from(bytes).toString('hex')}`
  }

  const withTopics = (log: RawLog, edits: Change[]): RawLog => ({
    ...log,
    topics: log.topics.map((topic, index) =>
      index === 0 ? topic : edited(topic, edits).padEnd(66, '0').slice(0, 66),
    ),
  })
})

describe('the table of known events', () => {
  const USERS = { creator: 'creator', initialOwner: 'initialOwner' }
  const otherMinted: KnownEvent = {
    signature:
      'event Minted(address indexed creator, address initialOwner, string _hash, uint256 _id, uint256 _count)',
    event: 'Minted',
    fields: { ...USERS, bucketHash: '_hash', tokenId: '_id', quantity: '_count' },
  }
  const record = makeEvent('Minted')
  const log = logOf(record)
  const otherLog = {
    ...log,
    topics: log.topics.slice(0, 2),
    data: encodeAbiParameters(
      [{ type: 'address' }, { type: 'string' }, { type: 'uint256' }, { type: 'uint256' }],
      [record.initialOwner as Hex, record.bucketHash, BigInt(record.tokenId), BigInt(record.quantity)],
    ),
  }

  it('can have a row for an event with other indexed parameters', () => {
    expect(rejectionOf(otherLog)?.code).toBe('other-parameters')
    const extended = [...KNOWN_EVENTS, otherMinted]
    expect(decoded(otherLog, extended)).toEqual({ record })
    expect(decoded(log, extended)).toEqual({ record })
  })

  it('can have a row with another name, small numbers, an unused parameter and an indexed string', () => {
    const sold: KnownEvent = {
      signature:
        'event Sold(address indexed seller, string indexed note, address buyer, uint64 id, bytes32 extra)',
      event: 'TransferSingle',
      fields: { operator: 'seller', from: 'seller', to: 'buyer', tokenIds: 'id', quantities: 'id' },
    }
    const [topic = ''] = prepareDecoders([sold]).keys()
    const values = { ...log, topics: [topic, log.topics[1] ?? '', `0x${'ee'.repeat(32)}`] }
    const data = `0x${word(0xbeefn)}${word(7)}${'ff'.repeat(32)}`
    const { creator } = record
    const ofIds = { tokenIds: ['7'], quantities: ['7'] }
    expect(decoded({ ...values, data }, [sold])).toMatchObject({
      record: { event: 'TransferSingle', operator: creator, from: creator, ...ofIds },
    })
    const tooLarge = `0x${word(0xbeefn)}${word(2n ** 64n)}${'ff'.repeat(32)}`
    expect(rejectionOf({ ...values, data: tooLarge }, [sold])?.code).toBe('bad-encoding')
  })

  it('rejects a log that fits two rows', () => {
    const twin: KnownEvent = {
      signature: 'event OwnershipTransferred(address indexed newOwner, address indexed previousOwner)',
      event: 'OwnershipTransferred',
      fields: { previousOwner: 'previousOwner', newOwner: 'newOwner' },
    }
    const transferred = logOf(makeEvent('OwnershipTransferred'))
    const reason = /^the log fits several events: OwnershipTransferred\(.* or OwnershipTransferred\(/
    expect(rejectionOf(transferred, [...KNOWN_EVENTS, twin])).toEqual({
      code: 'other-parameters',
      reason: expect.stringMatching(reason),
    })
  })

  const owned: KnownEvent = {
    signature:
      'event Owned(address indexed previousOwner, address indexed newOwner, uint256 amount, string note)',
    event: 'OwnershipTransferred',
    fields: { previousOwner: 'previousOwner', newOwner: 'newOwner' },
  }
  const batchOf = (type: string): KnownEvent => ({
    signature:
      `event E(address indexed token, address indexed owner, ${type} ids, uint256[] values)` as const,
    event: 'MintedBatch',
    fields: { token: 'token', owner: 'owner', tokenIds: 'ids', quantities: 'values' },
  })
  const ownedBy = (fields: object): KnownEvent => ({ ...owned, fields: { ...owned.fields, ...fields } })

  it.each<[string, KnownEvent, string]>([
    [
      'no parameter',
      ownedBy({ newOwner: 'nobody' }),
      'nobody, which must fill the field newOwner, is missing',
    ],
    ['a number for a user', ownedBy({ newOwner: 'amount' }), 'amount cannot fill the field newOwner'],
    ['a text for a user', ownedBy({ previousOwner: 'note' }), 'note cannot fill the field previousOwner'],
    ['the hash of a list', batchOf('uint256[] indexed'), 'ids cannot fill the field tokenIds'],
    ['a list of signed numbers', batchOf('int256[]'), 'ids cannot fill the field tokenIds'],
  ])('fails at once for %s', (_, row, message) => {
    expect(() => prepareDecoders([row])).toThrow(`The parameter ${message}`)
  })
})
