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
  ['all blocks above those that were stored twelve minutes ago', [HASH], [111, 140]],
  ['no blocks if the block was stored at least twelve minutes ago', [HASH, { minBlock: 110 }], undefined],
  ['the blocks up to the first note at or above the block', [HASH, { minBlock: 121 }], [111, 130]],
  ['the blocks around and above the beginning of a span', [{ ...HASH, fromBlock: [125] }], [121, 140]],
  ['the blocks up to the first note above the end of a span', [{ ...HASH, toBlock: [115] }], [111, 120]],
  ['no blocks if a span ends before them', [{ ...HASH, toBlock: [110] }], undefined],
  ['no blocks if a span begins above it', [{ ...HASH, fromBlock: [135] }, { minBlock: 134 }], undefined],
  ['the blocks around a block number', [{ blockNumber: [125] }], [121, 130]],
  ['no blocks for a block number that was stored long ago', [{ blockNumber: [105] }], undefined],
  ['no blocks for a block number above the block', [{ blockNumber: [135] }, { minBlock: 134 }], undefined],
  ['the blocks up to the first note above the last final block', [HASH, { final: 112 }], [111, 120]],
  ['no blocks if no final block is new', [HASH, { final: 105 }], undefined],
  ['all blocks if there are no notes', [HASH, { notes: [] }], [0, 999_999_999_999]],
  ['all blocks if no note is old enough', [HASH, { notes: notesOf([5, 120], [0, 140]) }], [0, 140]],
])('of a network, an index may lack %s', (_, [filters, options], expected) => {
  expect(unsettled(filters, options)).toEqual(expected)
})

test('the span of places is between the times of the notes around these blocks', () => {
  const indexed = [{ network: 'base', blockNumber: 140, timestamp: 140, notes: NOTES }] as const
  const found = findUnsettled(HASH, { indexed, minBlocks: new Map([['base', 125]]), now: NOW })

  expect(found.get('base')?.span).toEqual(
    placesBetween({ from: { seconds: 110, blockNumber: 111 }, to: { seconds: 130, blockNumber: 130 } }),
  )
})
