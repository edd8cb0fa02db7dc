import { createMPT } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import { bytesToHex, concat, keccak256, toHex } from 'viem'
import { ruleOf } from '../../../../lib/chain/proof/chain-rules.ts'
import { proveLogs } from '../../../../lib/chain/proof/prove-logs.ts'
import { flipBit } from '../../../support/records/flip-bit.ts'

fc.configureGlobal({ numRuns: 30 })

const BASE = 8453
const POLYGON = 137
const NUMBER = 40_000_001
const HASH = `0x${'ab'.repeat(32)}` as const

type Receipt = Record<'type' | 'status' | 'cumulativeGasUsed' | 'logsBloom' | 'transactionHash', string> & {
  logs: { address: string; topics: string[]; data: string }[]
} & Partial<Record<'depositNonce' | 'depositReceiptVersion', string>>

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(value => bytesToHex(value))
const quantity = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(value => `0x${value.toString(16)}`)
const log = fc.record({
  address: hex(20),
  topics: fc.array(hex(32), { maxLength: 4 }),
  data: fc.uint8Array({ maxLength: 100 }).map(value => bytesToHex(value)),
})
const common = {
  status: fc.constantFrom('0x0', '0x1'),
  cumulativeGasUsed: quantity,
  logsBloom: hex(256),
  logs: fc.array(log, { maxLength: 4 }),
  transactionHash: hex(32),
}
const type = fc.constantFrom('0x0', '0x1', '0x2', '0x3', '0x4')
const receipt: fc.Arbitrary<Receipt> = fc.record({ type, ...common })
const ofDeposit = { type: fc.constant('0x7e'), depositReceiptVersion: fc.constant('0x1') }
const deposit: fc.Arbitrary<Receipt> = fc.record({ ...common, ...ofDeposit, depositNonce: quantity })
const receipts = fc
  .tuple(fc.array(deposit, { maxLength: 1 }), fc.array(receipt, { minLength: 1, maxLength: 20 }))
  .map(parts => parts.flat())

/** Other implementations encode and hash the receipts according to the specifications. */
async function rootOf(list: readonly Receipt[]): Promise<string> {
  const trie = await createMPT()
  for (const [index, each] of list.entries()) {
    const body = RLP.encode([
      BigInt(each.status),
      BigInt(each.cumulativeGasUsed),
      each.logsBloom,
      each.logs.map(({ address, topics, data }) => [address, topics, data]),
      ...(each.depositReceiptVersion
        ? [BigInt(each.depositNonce ?? 0), BigInt(each.depositReceiptVersion)]
        : []),
    ])
    const type = Number(each.type)
    await trie.put(RLP.encode(index), type === 0 ? body : Uint8Array.of(type, ...body))
  }
  return bytesToHex(trie.root())
}

/**
 * Returns a function that checks altered receipts against the block of the original receipts. The block has the
 * transactions of the receipts, followed by those with the hashes `more`.
 */
async function proverOf(
  list: readonly Receipt[],
  { chainId = BASE, number = NUMBER, more = [] as readonly string[] } = {},
) {
  const known = ruleOf({ chainId, number })
  if ('reason' in known) throw new Error(known.reason)
  const transactionHashes = [...list.map(({ transactionHash }) => transactionHash), ...more]
  const block = { number, hash: HASH, receiptsRoot: await rootOf(list), transactionHashes }
  return (told: unknown) => proveLogs(told, { block, rule: known.rule })
}

/** Changes one bit of one field other than the transaction hashes, which the root does not cover. */
function withFlippedBit(list: readonly Receipt[], which: number, bit: number): Receipt[] {
  let fields = 0
  const change = (chosen: number) => {
    fields = 0
    return JSON.parse(JSON.stringify(list), (key, value) => {
      if (typeof value !== 'string' || value === '0x' || key === 'transactionHash') return value
      fields += 1
      return fields === chosen ? flipBit(value, bit) : value
    })
  }
  change(0)
  return change(1 + (which % fields))
}

test('all logs are proven in the order of the chain, each with the transaction of its receipt', async () => {
  await fc.assert(
    fc.asyncProperty(receipts, async list => {
      const prove = await proverOf(list)
      const logs = list.flatMap(({ logs, transactionHash }) =>
        logs.map(each => ({ ...each, transactionHash })),
      )

      expect(prove(list)).toEqual({
        logs: logs.map((each, logIndex) => ({ ...each, logIndex })),
        stateSyncLogs: [],
      })
      // A node may omit the transaction hashes from its receipts, because the block has the hashes.
      expect(prove(list.map(each => ({ ...each, transactionHash: undefined })))).toEqual(prove(list))
    }),
  )
})

test('one bit of any field is noticed', async () => {
  await fc.assert(
    fc.asyncProperty(receipts, fc.nat(), fc.nat(), async (list, which, at) => {
      const prove = await proverOf(list)

      expect(prove(withFlippedBit(list, which, at))).toEqual({
        reason: expect.any(String),
        hasRule: expect.any(Boolean),
      })
    }),
  )
})

test.each<[string, (list: Receipt[], at: number) => Receipt[]]>([
  ['left out', (list, at) => list.toSpliced(at, 1)],
  ['given twice', (list, at) => list.toSpliced(at, 0, ...list.slice(at, at + 1))],
  ['swapped with the next', (list, at) => list.toSpliced(at, 2, ...list.slice(at, at + 2).toReversed())],
  ['given behind the last', (list, at) => [...list, ...list.slice(at, at + 1)]],
])('a receipt that is %s is noticed, with and without its hash', async (_, change) => {
  const selector = (each: Receipt) => each.cumulativeGasUsed
  const several = fc.uniqueArray(receipt, { minLength: 2, maxLength: 20, selector })
  await fc.assert(
    fc.asyncProperty(several, fc.nat(), async (list, at) => {
      const prove = await proverOf(list)
      const told = change(list, at % (list.length - 1))

      expect(prove(told)).toHaveProperty('reason')
      expect(prove(told.map(each => ({ ...each, transactionHash: undefined })))).toHaveProperty('reason')
    }),
  )
})

test('a receipt that names the transaction at another place is noticed', async () => {
  const list = fc.sample(receipt, { seed: 3, numRuns: 2 }) as [Receipt, Receipt]
  const prove = await proverOf(list)
  const [first, second] = list

  expect(prove([{ ...first, transactionHash: second.transactionHash }, second])).toEqual({
    reason: 'The receipt at index 0 belongs to a transaction at another index',
    hasRule: true,
  })
})

/** Where the keys of receipts, which are RLP-encoded indexes, become longer, and where nodes of the trie become full. */
test.each([0, 1, 2, 3, 15, 16, 17, 127, 128, 129, 255, 256, 257, 513])(
  '%i receipts prove a block',
  async count => {
    const some = fc.sample(receipt, { seed: 7, numRuns: 9 })
    const list = Array.from({ length: count }, (_, index) => some[index % 9] as Receipt)
    const prove = await proverOf(list)

    expect(prove(list)).toMatchObject({ logs: expect.any(Array), stateSyncLogs: [] })
  },
)

test('on polygon before Madhugiri, state-sync logs are separate, and required if the block names their transaction', async () => {
  const number = 10_000_000
  const list = fc.sample(receipt, { seed: 5, numRuns: 3 })
  const prove = await proverOf(list, { chainId: POLYGON, number })
  const apart = {
    ...list[0],
    type: '0x0',
    cumulativeGasUsed: '0x0',
    transactionHash: stateSyncHash(number),
    logs: [{ address: `0x${'11'.repeat(20)}`, topics: [], data: '0x' }],
  }
  const logCount = list.flatMap(({ logs }) => logs).length

  expect(prove(list)).toMatchObject({ stateSyncLogs: [] })
  expect(prove([...list, apart])).toMatchObject({
    logs: (prove(list) as { logs: unknown[] }).logs,
    stateSyncLogs: [{ transactionHash: apart.transactionHash, logIndex: logCount }],
  })
  const later = await proverOf(list, { chainId: POLYGON, number: number + 1 })
  expect(later([...list, apart])).toHaveProperty('reason')
  const naming = await proverOf(list, { chainId: POLYGON, number, more: [apart.transactionHash] })
  expect(naming([...list, apart])).toEqual(prove([...list, apart]))
  const reason = 'The node returned no receipt for the state-sync transaction'
  expect(naming(list)).toEqual({ reason, hasRule: true })
})

const stateSyncHash = (number: number) =>
  keccak256(concat([toHex('matic-bor-receipt-'), toHex(number, { size: 8 }), HASH]))
