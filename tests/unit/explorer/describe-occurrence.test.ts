import type { EventRecord } from '../../../lib/events/record.ts'
import { describeOccurrence } from '../../../lib/site/explorer/occurrence/describe-occurrence.ts'
import { occurrencesOf } from '../../../lib/site/explorer/occurrence/occurrences-of.ts'
import { relationOf, signOf } from '../../../lib/site/explorer/occurrence/relation-of.ts'
import { makeEvent } from '../../support/records/make-event.ts'

const [ALICE, BOB, CAROL] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`, `0x${'ca'.repeat(20)}`]
const ZERO = `0x${'0'.repeat(40)}`
const ITEMS = [{ tokenId: '1', quantity: '2' }]

function describeOnly(...records: EventRecord[]) {
  const [occurrence] = occurrencesOf(records)
  if (!occurrence) throw new Error('There is no occurrence')
  return describeOccurrence(occurrence)
}

test.each([
  ['a transfer', {}, { move: 'transfer', from: ALICE, to: BOB }],
  ['a transfer by somebody else', { operator: CAROL }, { move: 'transfer', from: ALICE, to: BOB, by: CAROL }],
  ['a mint', { from: ZERO, operator: BOB }, { move: 'mint', to: BOB }],
  ['a burn', { to: ZERO }, { move: 'burn', from: ALICE }],
  ['from nobody to nobody', { from: ZERO, to: ZERO, operator: CAROL }, { move: 'transfer', by: CAROL }],
])('%s is told so', (_, fields, expected) => {
  expect(describeOnly(makeEvent('TransferSingle', fields))).toEqual({ ...expected, items: ITEMS })
})

test.each([
  [makeEvent('TransferBatch', { from: ZERO }), 'mint', 2],
  [makeEvent('TransferBatch', { to: ZERO }), 'burn', 2],
  [makeEvent('TransferBatch', { tokenIds: [], quantities: [] }), 'transfer', 0],
  [makeEvent('Minted'), 'mint', 1],
  [makeEvent('MintedBatch'), 'mint', 2],
  [makeEvent('OwnershipTransferred'), 'ownership', 0],
])('$event has its ids', (record, move, ids) => {
  const described = describeOnly(record)

  expect([described.move, described.items.length]).toEqual([move, ids])
})

test('a mint is described by its transfer, which says who carried it out', () => {
  const mint = makeEvent('Minted', { creator: ALICE, initialOwner: BOB, logIndex: 4 })
  const transfer = makeEvent('TransferSingle', { from: ZERO, to: BOB, operator: CAROL })

  expect(describeOnly(mint, transfer)).toEqual({ move: 'mint', to: BOB, by: CAROL, items: ITEMS })
})

describe('what an event is to a wallet', () => {
  test.each([
    ['received', '+', makeEvent('TransferSingle', { to: CAROL })],
    ['sent', '−', makeEvent('TransferSingle', { from: CAROL, operator: CAROL })],
    ['minted', '+', makeEvent('TransferBatch', { from: ZERO, to: CAROL })],
    ['minted', '+', makeEvent('Minted', { initialOwner: CAROL })],
    ['burned', '−', makeEvent('TransferSingle', { from: CAROL, to: ZERO })],
    ['to itself', '', makeEvent('TransferSingle', { from: CAROL, to: CAROL })],
    ['operated', '', makeEvent('TransferSingle', { operator: CAROL })],
    ['operated', '', makeEvent('Minted', { creator: CAROL })],
    ['received', '+', makeEvent('OwnershipTransferred', { newOwner: CAROL })],
    ['sent', '−', makeEvent('OwnershipTransferred', { previousOwner: CAROL, newOwner: ZERO })],
  ])('is %s, with the sign “%s”', (relation, sign, record) => {
    const described = describeOnly(record)
    const found = relationOf(described, CAROL.toUpperCase().replace('0X', '0x'))

    expect([found, signOf(described, found)]).toEqual([relation, sign])
  })

  test.each([
    ['sent', makeEvent('TransferSingle', { from: ZERO })],
    ['sent', makeEvent('Minted', {})],
    ['received', makeEvent('TransferSingle', { to: ZERO })],
    ['sent', makeEvent('OwnershipTransferred', { previousOwner: ZERO })],
    ['received', makeEvent('OwnershipTransferred', { newOwner: ZERO })],
    ['operated', makeEvent('TransferSingle', { operator: ZERO })],
  ])('is %s to the zero address, which sends mints and receives burns', (relation, record) => {
    expect(relationOf(describeOnly(record), ZERO)).toBe(relation)
  })

  test('without a wallet, only what appears and disappears has a sign', () => {
    const signs = [{ from: ZERO }, { to: ZERO }, {}].map(fields =>
      signOf(describeOnly(makeEvent('TransferSingle', fields)), undefined),
    )

    expect(signs).toEqual(['+', '−', ''])
  })
})
