import fc from 'fast-check'
import { EVENT_KINDS, type EventKind } from '../../../lib/events/event-kinds.ts'
import type { EventRecord } from '../../../lib/events/record.ts'

/** So few addresses that most of them occur as users in several roles, as tokens, and as minting contracts. */
export const ADDRESS_POOL = [
  `0x${'0'.repeat(40)}`,
  `0x${'c0ffee'.repeat(7).slice(0, 40)}`,
  `0x${'ab12'.repeat(10)}`,
  `0x${'f'.repeat(40)}`,
  `0x${'0123456789abcdef'.repeat(3).slice(0, 40)}`,
  '0x00000000006c3852cbef3e08e8df289169ede581',
] as const

type Own<R> = R extends EventRecord ? Omit<R, keyof Placed | 'id'> : never
/** An event without its id and its position in the chain. */
export type EventFields = Own<EventRecord>
export type Placed = Pick<
  EventRecord,
  'network' | 'blockNumber' | 'blockHash' | 'transactionHash' | 'logIndex' | 'createdAt'
>

const user = fc.constantFrom(...ADDRESS_POOL)
const token = fc.constantFrom(...ADDRESS_POOL.slice(2))
const uint256 = fc
  .oneof(fc.constantFrom(0n, 1n, 2n ** 53n + 1n, 2n ** 255n + 7n, 2n ** 256n - 1n), fc.nat(99).map(BigInt))
  .map(String)

const longNumber = uint256.map(number => String(BigInt(number) | (1n << 255n)))

const batch = fc
  .oneof(
    { weight: 60, arbitrary: fc.array(fc.tuple(uint256, uint256), { maxLength: 4 }) },
    /** So many long ids that they are stored in chunks. */
    { weight: 1, arbitrary: fc.array(fc.tuple(longNumber, uint256), { minLength: 200, maxLength: 250 }) },
  )
  .map(pairs => ({ tokenIds: pairs.map(([id]) => id), quantities: pairs.map(([, quantity]) => quantity) }))

const single = fc
  .tuple(uint256, uint256)
  .map(([id, quantity]) => ({ tokenIds: [id], quantities: [quantity] }))
const parties = { address: token, operator: user, from: user, to: user }

/** The fields of each kind. Any of their addresses may be equal, and their numbers may have any size. */
const FIELDS: Record<EventKind, fc.Arbitrary<EventFields>> = {
  Minted: fc.record({
    event: fc.constant('Minted' as const),
    address: token,
    creator: user,
    initialOwner: user,
    bucketHash: fc.oneof(
      fc.constantFrom('', 'QmYwAPJzv5', '\u0000', '𝔹ücket ✓'),
      fc.string({ unit: 'binary' }),
    ),
    tokenId: uint256,
    quantity: uint256,
  }),
  MintedBatch: fc
    .tuple(fc.record({ address: token, token, owner: user }), batch)
    .map(([fields, ids]) => ({ event: 'MintedBatch' as const, ...fields, ...ids })),
  TransferSingle: fc
    .tuple(fc.record(parties), single)
    .map(([fields, ids]) => ({ event: 'TransferSingle' as const, ...fields, ...ids })),
  TransferBatch: fc
    .tuple(fc.record(parties), batch)
    .map(([fields, ids]) => ({ event: 'TransferBatch' as const, ...fields, ...ids })),
  OwnershipTransferred: fc.record({
    event: fc.constant('OwnershipTransferred' as const),
    address: token,
    previousOwner: user,
    newOwner: user,
  }),
}

export const eventFields = (kinds: readonly EventKind[] = EVENT_KINDS): fc.Arbitrary<EventFields> =>
  fc.oneof(...kinds.map(kind => FIELDS[kind]))
