import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { bytesToHex, type Hex, keccak256 } from 'viem'
import { doubtHeader, type RawBlock } from '../../../../lib/chain/proof/hash-header.ts'
import { flipBit } from '../../../support/records/flip-bit.ts'

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map(value => bytesToHex(value))
const quantity = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(value => `0x${value.toString(16)}` as Hex)
const text = fc.uint8Array({ maxLength: 40 }).map(value => bytesToHex(value))

const ofQuantity = (name: string): [string, fc.Arbitrary<Hex>] => [name, quantity]
const ofHash = (name: string): [string, fc.Arbitrary<Hex>] => [name, bytes(32)]

/** The fields in the order of the Yellow Paper and later proposals. `quantity` marks the numbers. */
const FIELDS: [string, fc.Arbitrary<Hex>][] = [
  ...['parentHash', 'sha3Uncles'].map(ofHash),
  ['miner', bytes(20)],
  ...['stateRoot', 'transactionsRoot', 'receiptsRoot'].map(ofHash),
  ['logsBloom', bytes(256)],
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp'].map(ofQuantity),
  ['extraData', text],
  ['mixHash', bytes(32)],
  ['nonce', bytes(8)],
  ['baseFeePerGas', quantity],
  ['withdrawalsRoot', bytes(32)],
  ...['blobGasUsed', 'excessBlobGas'].map(ofQuantity),
  ...['parentBeaconBlockRoot', 'requestsHash'].map(ofHash),
]
const LONDON = 15

/** Another implementation computes the hash. Headers of older eras lack the last fields. */
const block: fc.Arbitrary<RawBlock> = fc.integer({ min: LONDON, max: FIELDS.length }).chain(count => {
  const fields = FIELDS.slice(0, count)
  return fc.tuple(...fields.map(([, value]) => value)).map(values => {
    const encoded = values.map((value, index) => (fields[index]?.[1] === quantity ? BigInt(value) : value))
    const named = Object.fromEntries(fields.map(([name], index) => [name, values[index]]))
    return { ...named, hash: keccak256(RLP.encode(encoded)) }
  })
})

test('headers of every era have the hash that another implementation gives, and other fields change nothing', () => {
  fc.assert(
    fc.property(block, header => {
      expect(doubtHeader(header)).toBeUndefined()
      expect(doubtHeader({ ...header, size: '0x1', uncles: [], sendCount: '0x5' })).toBeUndefined()
      expect(doubtHeader({ ...header, withdrawalsRoot: header.withdrawalsRoot ?? null })).toBeUndefined()
    }),
  )
})

test('one bit of any field is noticed', () => {
  fc.assert(
    fc.property(block, fc.nat(), fc.nat(), (header, which, at) => {
      const names = Object.keys(header).filter(name => String(header[name]).length > 2)
      const name = names[which % names.length] ?? ''

      expect(doubtHeader({ ...header, [name]: flipBit(String(header[name]), at) })).toBe(
        'The hash of the header differs from the block hash that the node returned',
      )
    }),
    { numRuns: 150 },
  )
})

test('the error for a header with a missing, malformed or unknown field names the field', () => {
  const [header] = fc.sample(block, { seed: 1, numRuns: 1 }) as [RawBlock]

  const doubtOf = (name: string) => `The header's field ${name} is missing or malformed`

  expect(doubtHeader({ ...header, mixHash: undefined })).toBe(doubtOf('mixHash'))
  expect(doubtHeader({ ...header, miner: '0x00' })).toBe(doubtOf('miner'))
  const unknown = doubtHeader({ ...header, hash: `0x${'12'.repeat(32)}`, newRoot: `0x${'34'.repeat(32)}` })
  expect(unknown).toBe('The header has unknown fields: newRoot')
})
