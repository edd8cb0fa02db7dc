import type { Network } from '../../events/networks.ts'
import { MAX_BLOCK_NUMBER, MAX_SECONDS, type PlaceSpan, placesBetween } from '../../events/place.ts'
import type { Filters } from '../filters.ts'
import { type IndexedThrough, type IndexNote, settledThrough } from '../indexed-through.ts'
import type { MinBlocks } from './min-block.ts'

/** A range of a network's blocks, including both ends. */
interface BlockStretch {
  fromBlock: number
  toBlock: number
}

/** The blocks of a network whose events may be missing from an index, and the places of these blocks. */
export interface UnsettledBlocks extends BlockStretch {
  span: PlaceSpan
}

export const holdsBlock = (blocks: BlockStretch | undefined, blockNumber: number): boolean =>
  blocks !== undefined && blocks.fromBlock <= blockNumber && blockNumber <= blocks.toBlock

interface Known {
  indexed: readonly IndexedThrough[]
  minBlocks: MinBlocks
  /** The last final block of each network. Set only if the query has the filter `finalized`. */
  finalThrough?: ReadonlyMap<Network, number> | undefined
  /** Unix seconds. */
  now: number
}

/**
 * Returns, for each network, the blocks up to `minBlock` that a query for one transaction or block number must not read
 * from an index. Blocks that were stored long enough ago are omitted, because the index has received their events by
 * now. If a network has no notes of when blocks were stored, no block is omitted.
 */
export function findUnsettled(filters: Filters, known: Known): Map<Network, UnsettledBlocks> {
  const { minBlocks, indexed, now } = known
  const unsettled = new Map<Network, UnsettledBlocks>()
  for (const [network, minBlock] of minBlocks) {
    const { notes = [] } = indexed.find(each => each.network === network) ?? {}
    const asked = blocksAsked(filters, Math.min(minBlock, finalBlock(network, known)))
    const fromBlock = Math.max(asked.fromBlock, settledThrough(notes, now) + 1)
    if (fromBlock <= asked.toBlock) unsettled.set(network, between(notes, { ...asked, fromBlock }))
  }
  return unsettled
}

const finalBlock = (network: Network, { finalThrough }: Known) =>
  finalThrough ? (finalThrough.get(network) ?? -1) : MAX_BLOCK_NUMBER

function blocksAsked(filters: Filters, last: number): BlockStretch {
  const {
    fromBlock: [from = 0] = [],
    toBlock: [to = MAX_BLOCK_NUMBER] = [],
    blockNumber: [only] = [],
  } = filters
  return { fromBlock: Math.max(from, only ?? 0), toBlock: Math.min(to, only ?? MAX_BLOCK_NUMBER, last) }
}

/** Widens a range of blocks to the nearest notes below and above, because block times are known only from notes. */
function between(notes: readonly IndexNote[], { fromBlock, toBlock }: BlockStretch): UnsettledBlocks {
  const before = notes.findLast(({ blockNumber }) => blockNumber < fromBlock)
  const last = notes.find(({ blockNumber }) => blockNumber >= toBlock)
  const first = before ? before.blockNumber + 1 : 0
  return {
    fromBlock: first,
    toBlock: last?.blockNumber ?? MAX_BLOCK_NUMBER,
    span: placesBetween({
      from: { seconds: before?.timestamp ?? 0, blockNumber: first },
      to: { seconds: last?.timestamp ?? MAX_SECONDS, blockNumber: last?.blockNumber },
    }),
  }
}
