import type { Network } from '../../../../lib/events/networks.ts'
import { placesBetween } from '../../../../lib/events/place.ts'
import type { Filters } from '../../../../lib/query/filters.ts'
import { findUnsettled } from '../../../../lib/query/min-block/find-unsettled.ts'

const NOW = 1_700_100_000
const HASH: Filters = { transactionHash: [`0x${'ab'.repeat(32)}`] }

/** The time of a block is its number. */
const notesOf = (...notes: [minutesAgo: number, blockNumber: number][]) =>
  notes.map(([minutesAgo, blockNumber]) => ({
    at: NOW - 60 * minutesAgo,
    blockNumber,
    timestamp: blockNumber,
  }))

const NOTES = notesOf([60, 100], [12, 110], [11, 120], [3, 130], [0, 140])

const unsettled = (
  filters: Filters,
  { minBlock = 140, notes = NOTES, final = undefined as number | undefined } = {},
) => {
  const blockNumber = notes.at(-1)?.blockNumber ?? 140
  const finalThrough = final === undefined ? undefined : new Map<Network, number>([['base', final]])
  const found = findUnsettled(filters, {
    indexed: [{ network: 'base', blockNumber, timestamp: blockNumber, notes }],
    minBlocks: new Map([['base', minBlock]]),
    finalThrough,
    now: NOW,
  })
  const blocks = found.get('base')
  return blocks && [blocks.fromBlock, blocks.toBlock]
}

test.each<[string, Parameters<typeof unsettled>, number[] | undefined]>([
  ['all behind what was stored twelve minutes ago', [HASH], [111, 140]],
  ['none where the block has been stored for so long', [HASH, { minBlock: 110 }], undefined],
  ['those up to the first note that is not before the block', [HASH, { minBlock: 121 }], [111, 130]],
  ['those from a span’s beginning on', [{ ...HASH, fromBlock: [125] }], [121, 140]],
  ['those up to a span’s end', [{ ...HASH, toBlock: [115] }], [111, 120]],
  ['none where a span ends before them', [{ ...HASH, toBlock: [110] }], undefined],
  [
    'none where a span begins behind the block',
    [{ ...HASH, fromBlock: [135] }, { minBlock: 134 }],
    undefined,
  ],
  ['those around a block number', [{ blockNumber: [125] }], [121, 130]],
  ['none for a block number that was stored for so long', [{ blockNumber: [105] }], undefined],
  ['none for a block number behind the block', [{ blockNumber: [135] }, { minBlock: 134 }], undefined],
  ['those that are final', [HASH, { final: 112 }], [111, 120]],
  ['none where no final block is new', [HASH, { final: 105 }], undefined],
  ['all there are without notes', [HASH, { notes: [] }], [0, 999_999_999_999]],
  ['all there are where no note is old enough', [HASH, { notes: notesOf([5, 120], [0, 140]) }], [0, 140]],
])('of a network, an index may lack %s', (_, [filters, options], expected) => {
  expect(unsettled(filters, options)).toEqual(expected)
})

test('the places are those between the times of the notes around', () => {
  const found = findUnsettled(HASH, {
    indexed: [{ network: 'base', blockNumber: 140, timestamp: 140, notes: NOTES }],
    minBlocks: new Map([['base', 125]]),
    now: NOW,
  })

  expect(found.get('base')?.span).toEqual(
    placesBetween({ from: { seconds: 110, blockNumber: 111 }, to: { seconds: 130, blockNumber: 130 } }),
  )
})
