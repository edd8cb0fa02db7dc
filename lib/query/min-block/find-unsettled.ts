import type { Network } from '../../events/networks.ts'
import { MAX_BLOCK_NUMBER, MAX_SECONDS, type PlaceSpan, placesBetween } from '../../events/place.ts'
import type { Filters } from '../filters.ts'
import {
  CLOCK_DIFFERENCE_SECONDS,
  INDEX_LAG_SECONDS,
  type IndexedThrough,
  type IndexNote,
} from '../indexed-through.ts'
import type { MinBlocks } from './min-block.ts'

/** Blocks of a network, both ends included. */
interface BlockStretch {
  fromBlock: number
  toBlock: number
}

/** Blocks of a network of which an index may lack events, and the places that they have. */
export interface UnsettledBlocks extends BlockStretch {
  span: PlaceSpan
}

export const holdsBlock = (blocks: BlockStretch | undefined, blockNumber: number): boolean =>
  blocks !== undefined && blocks.fromBlock <= blockNumber && blockNumber <= blocks.toBlock

interface Known {
  indexed: readonly IndexedThrough[]
  minBlocks: MinBlocks
  /** Up to which block networks are final, where only final events are asked for. */
  finalThrough?: ReadonlyMap<Network, number> | undefined
  /** Unix seconds. */
  now: number
}

/**
 * The blocks that a query of one transaction or block number must not read from an index alone: those that it asks for,
 * up to `minBlock`, unless they have been stored for so long that an index has received them. Of a network without notes
 * nothing tells since when any block is stored.
 */
export function findUnsettled(filters: Filters, known: Known): Map<Network, UnsettledBlocks> {
  const { minBlocks, indexed, now } = known
  const unsettled = new Map<Network, UnsettledBlocks>()
  for (const [network, minBlock] of minBlocks) {
    const { notes = [] } = indexed.find(each => each.network === network) ?? {}
    const settled = notes.findLast(({ at }) => at + INDEX_LAG_SECONDS + CLOCK_DIFFERENCE_SECONDS <= now)
    const asked = blocksAsked(filters, Math.min(minBlock, finalBlock(network, known)))
    const fromBlock = Math.max(asked.fromBlock, (settled?.blockNumber ?? -1) + 1)
    if (fromBlock <= asked.toBlock) unsettled.set(network, between(notes, { ...asked, fromBlock }))
  }
  return unsettled
}

const finalBlock = (network: Network, { finalThrough }: Known) =>
  finalThrough ? (finalThrough.get(network) ?? -1) : MAX_BLOCK_NUMBER

/** The blocks that can have events which match, none of them behind `last`. */
function blocksAsked(filters: Filters, last: number): BlockStretch {
  const {
    fromBlock: [from = 0] = [],
    toBlock: [to = MAX_BLOCK_NUMBER] = [],
    blockNumber: [only] = [],
  } = filters
  return { fromBlock: Math.max(from, only ?? 0), toBlock: Math.min(to, only ?? MAX_BLOCK_NUMBER, last) }
}

/** The blocks between the notes around a stretch, whose times are known. */
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
