import type { EventRecord } from '../../../lib/events/record.ts'
import { occurrencesOf } from '../../../lib/site/explorer/occurrence/occurrences-of.ts'
import { makeEvent } from '../../support/records/make-event.ts'

const [ALICE, BOB] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`]
const ZERO = `0x${'0'.repeat(40)}`
const TOKEN = `0x${'70'.repeat(20)}`

const mintAt = (logIndex: number, fields = {}) => makeEvent('Minted', { logIndex, ...fields })
const transferAt = (logIndex: number, fields = {}) =>
  makeEvent('TransferSingle', { logIndex, from: ZERO, to: BOB, ...fields })
const shapeOf = (records: readonly EventRecord[]) =>
  occurrencesOf(records).map(occurrence => occurrence.records.map(({ logIndex }) => logIndex))

const batch = makeEvent('MintedBatch', { logIndex: 1, token: TOKEN })
const ofBatch = makeEvent('TransferBatch', { logIndex: 2, from: ZERO, address: TOKEN })
const several = [transferAt(1), mintAt(2), transferAt(5), mintAt(6), transferAt(9)]

test.each([
  ['the transfer that it accompanies', [mintAt(4), transferAt(3)], [[4, 3]]],
  ['a transfer before it', [transferAt(3), mintAt(4)], [[3, 4]]],
  ['the transfer of its batch, even if another contract announces the batch', [batch, ofBatch], [[1, 2]]],
  ['the nearest of several equal transfers, each of which has only one mint', several, [[1, 2], [5, 6], [9]]],
])('a mint is one occurrence with %s', (_, records, shape) => {
  expect(shapeOf(records)).toEqual(shape)
})

test.each([
  ['another id', { tokenIds: ['9'] }],
  ['another quantity', { quantities: ['9'] }],
  ['another receiver', { to: ALICE }],
  ['another contract', { address: TOKEN }],
  ['another transaction', { transactionHash: `0x${'ee'.repeat(32)}` }],
  ['another network', { network: 'polygon' }],
  ['a sender', { from: ALICE }],
])('a transfer with %s is an occurrence of its own', (_, fields) => {
  expect(shapeOf([mintAt(4), transferAt(3, fields)])).toHaveLength(2)
})

test('a transfer on the next page joins the existing row of its mint', () => {
  const firstPage = [makeEvent('OwnershipTransferred', { logIndex: 8 }), mintAt(4)]
  const before = occurrencesOf(firstPage)
  const after = occurrencesOf([...firstPage, transferAt(3)])

  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  expect(after.at(-1)?.records).toHaveLength(2)
})
