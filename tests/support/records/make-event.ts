import type { EventKind } from '../../../lib/events/event-kinds.ts'
import type { EventRecord } from '../../../lib/events/record.ts'

type EventOf<Kind extends EventKind> = EventRecord & { event: Kind }
type Fields<Kind extends EventKind> = Omit<EventOf<Kind>, 'id' | 'event'>
type Common = keyof typeof COMMON

const COMMON = {
  network: 'base' as EventRecord['network'],
  address: `0x${'ab12'.repeat(10)}`,
  blockNumber: 5,
  blockHash: `0x${'cd'.repeat(32)}`,
  transactionHash: `0x${'ab'.repeat(32)}`,
  logIndex: 3,
  createdAt: '2023-06-02T00:00:00.000Z',
}
const [ALICE, BOB] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`]
const TRANSFER = { operator: ALICE, from: ALICE, to: BOB, tokenIds: ['1'], quantities: ['2'] }

const OWN: { [Kind in EventKind]: Omit<Fields<Kind>, Common> } = {
  Minted: { creator: ALICE, initialOwner: BOB, bucketHash: 'bucket', tokenId: '1', quantity: '2' },
  MintedBatch: { token: `0x${'70'.repeat(20)}`, owner: BOB, tokenIds: ['1', '2'], quantities: ['3', '4'] },
  TransferSingle: TRANSFER,
  TransferBatch: { ...TRANSFER, tokenIds: ['1', '2'], quantities: ['3', '4'] },
  OwnershipTransferred: { previousOwner: ALICE, newOwner: BOB },
}

/** A valid event. If the given fields come from another event, its kind and id are ignored. */
export function makeEvent<Kind extends EventKind>(event: Kind, overrides: Partial<Fields<Kind>> = {}) {
  const fields = { ...COMMON, ...OWN[event], ...overrides }
  const identity = { event, id: `${fields.network}:${fields.transactionHash}:${fields.logIndex}` }
  // The fields are in the order of the service's answers.
  return Object.assign({ ...identity }, fields, identity) as unknown as EventOf<Kind>
}

/** Each id has 77 digits, so a few hundred ids need chunks. */
export function longBatch(count: number): { tokenIds: string[]; quantities: string[] } {
  return {
    tokenIds: Array.from({ length: count }, (_, index) => String(2n ** 255n + BigInt(index))),
    quantities: Array.from({ length: count }, () => '1'),
  }
}
