import type { EventRecord } from '../../../lib/events/record.ts'
import { describeOccurrence, signOf } from '../../../lib/site/explorer/occurrence/describe-occurrence.ts'
import { occurrencesOf } from '../../../lib/site/explorer/occurrence/occurrences-of.ts'
import { makeEvent } from '../../support/records/make-event.ts'

const [ALICE, BOB, CAROL] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`, `0x${'ca'.repeat(20)}`]
const CAROL_IN_CAPITALS = CAROL.toUpperCase().replace('0X', '0x')
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
  ['a move from nobody', { from: ZERO, to: ZERO, operator: CAROL }, { move: 'transfer', by: CAROL }],
])('%s is described as such', (_, fields, expected) => {
  expect(describeOnly(makeEvent('TransferSingle', fields))).toEqual({ ...expected, items: ITEMS })
})

test.each([
  [makeEvent('TransferBatch', { from: ZERO }), 'mint', 2],
  [makeEvent('TransferBatch', { tokenIds: [], quantities: [] }), 'transfer', 0],
  [makeEvent('Minted'), 'mint', 1],
  [makeEvent('MintedBatch'), 'mint', 2],
  [makeEvent('OwnershipTransferred'), 'ownership', 0],
])('$event is described with all of its ids', (record, move, ids) => {
  const described = describeOnly(record)
  expect([described.move, described.items.length]).toEqual([move, ids])
})

test('a mint is described by its transfer, which says who carried it out', () => {
  const mint = makeEvent('Minted', { creator: ALICE, initialOwner: BOB, logIndex: 4 })
  const transfer = makeEvent('TransferSingle', { from: ZERO, to: BOB, operator: CAROL })

  expect(describeOnly(mint, transfer)).toEqual({ move: 'mint', to: BOB, by: CAROL, items: ITEMS })
})

test.each([
  ['+', 'a wallet that gained the tokens', makeEvent('TransferSingle', { to: CAROL }), CAROL],
  ['+', 'a wallet of any letter case', makeEvent('TransferSingle', { to: CAROL }), CAROL_IN_CAPITALS],
  ['−', 'a wallet that lost them', makeEvent('TransferSingle', { from: CAROL, operator: CAROL }), CAROL],
  ['+', 'the owner of a mint', makeEvent('Minted', { initialOwner: CAROL }), CAROL],
  ['', 'a wallet that sent to itself', makeEvent('TransferSingle', { from: CAROL, to: CAROL }), CAROL],
  ['', 'an operator', makeEvent('TransferSingle', { operator: CAROL }), CAROL],
  ['−', 'the zero address, which sends mints', makeEvent('TransferSingle', { from: ZERO }), ZERO],
  ['+', 'the zero address, which receives burns', makeEvent('TransferSingle', { to: ZERO }), ZERO],
  ['+', 'a mint, without a wallet', makeEvent('TransferSingle', { from: ZERO }), undefined],
  ['−', 'a burn, without a wallet', makeEvent('TransferSingle', { to: ZERO }), undefined],
  ['', 'a transfer, without a wallet', makeEvent('TransferSingle'), undefined],
])('the sign of a quantity is “%s” for %s', (sign, _, record, wallet) => {
  expect(signOf(describeOnly(record), wallet)).toBe(sign)
})
