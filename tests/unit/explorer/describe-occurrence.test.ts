import type { EventRecord } from '../../../lib/events/record.ts'
import { describeOccurrence, signOf } from '../../../lib/site/explorer/occurrence/describe-occurrence.ts'
import { occurrencesOf } from '../../../lib/site/explorer/occurrence/occurrences-of.ts'
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
  ['a move from nobody', { from: ZERO, to: ZERO, operator: CAROL }, { move: 'transfer', by: CAROL }],
])('%s is described as such', (_, fields, expected) => {
  expect(describeOnly(makeEvent('TransferSingle', fields))).toEqual({ ...expected, items: ITEMS })
})

test.each([
  [makeEvent('TransferBatch', { from: ZERO }), 'mint', 2],
  [makeEvent('TransferBatch', { to: ZERO }), 'burn', 2],
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

describe('the sign of a quantity', () => {
  test.each([
    ['+', makeEvent('TransferSingle', { to: CAROL })],
    ['−', makeEvent('TransferSingle', { from: CAROL, operator: CAROL })],
    ['+', makeEvent('TransferBatch', { from: ZERO, to: CAROL })],
    ['+', makeEvent('Minted', { initialOwner: CAROL })],
    ['−', makeEvent('TransferSingle', { from: CAROL, to: ZERO })],
    ['', makeEvent('TransferSingle', { from: CAROL, to: CAROL })],
    ['', makeEvent('TransferSingle', { operator: CAROL })],
    ['', makeEvent('Minted', { creator: CAROL })],
  ])('is “%s” for a wallet that gained or lost the tokens, or neither', (sign, record) => {
    expect(signOf(describeOnly(record), CAROL.toUpperCase().replace('0X', '0x'))).toBe(sign)
  })

  test.each([
    ['−', makeEvent('TransferSingle', { from: ZERO })],
    ['+', makeEvent('TransferSingle', { to: ZERO })],
    ['', makeEvent('TransferSingle', { operator: ZERO })],
  ])('is “%s” for the zero address, which sends mints and receives burns', (sign, record) => {
    expect(signOf(describeOnly(record), ZERO)).toBe(sign)
  })

  test('exists without a wallet only for mints and burns', () => {
    const signs = [{ from: ZERO }, { to: ZERO }, {}].map(fields =>
      signOf(describeOnly(makeEvent('TransferSingle', fields)), undefined),
    )

    expect(signs).toEqual(['+', '−', ''])
  })
})
