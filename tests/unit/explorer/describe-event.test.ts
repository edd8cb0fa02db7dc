import { describeEvent } from '../../../lib/explorer/show/describe-event.ts'
import { makeEvent } from '../../support/records/make-event.ts'

const [ALICE, BOB, CAROL] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`, `0x${'ca'.repeat(20)}`]
const ZERO = `0x${'0'.repeat(40)}`
const ITEMS = [{ tokenId: '1', quantity: '2' }]

test.each([
  ['a transfer', {}, { label: 'Transfer', from: ALICE, to: BOB }],
  [
    'a transfer by somebody else',
    { operator: CAROL },
    { label: 'Transfer', from: ALICE, to: BOB, by: CAROL },
  ],
  ['a mint', { from: ZERO, operator: BOB }, { label: 'Mint', to: BOB }],
  ['a burn', { to: ZERO }, { label: 'Burn', from: ALICE }],
  ['from nobody to nobody', { from: ZERO, to: ZERO, operator: CAROL }, { label: 'Transfer', by: CAROL }],
])('%s is called so', (_, fields, expected) => {
  expect(describeEvent(makeEvent('TransferSingle', fields))).toEqual({ ...expected, items: ITEMS })
})

test.each([
  [makeEvent('TransferBatch', { from: ZERO }), 'Batch mint', 2],
  [makeEvent('TransferBatch', { to: ZERO }), 'Batch burn', 2],
  [makeEvent('TransferBatch', { tokenIds: [], quantities: [] }), 'Batch transfer', 0],
  [makeEvent('Minted'), 'Minted', 1],
  [makeEvent('MintedBatch'), 'Minted batch', 2],
  [makeEvent('OwnershipTransferred'), 'Ownership', 0],
])('$event has a name, and its ids', (record, label, ids) => {
  const described = describeEvent(record)

  expect([described.label, described.items.length]).toEqual([label, ids])
})
