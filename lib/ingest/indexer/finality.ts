import type { Network } from '../../events/networks.ts'
import type { BlockHeader } from '../chain/block-header.ts'

/** How far to stay behind the head: a number of blocks, or as far as the chain is final. */
export type Confirmations = number | 'finalized'

/**
 * Deeper reorganisations than these are rare on each chain; those that happen are repaired. 0 would show
 * events some seconds earlier and take back more of them.
 */
const DEFAULT_CONFIRMATIONS: Record<Network, Confirmations> = {
  // The sequencer orders blocks and does not take them back, unless the parent chain forces it to.
  arbitrum: 4,
  base: 2,
  // Votes make a block final with its second successor (BEP-126).
  'bnb-chain': 3,
  ethereum: 3,
  // Milestones make blocks final after some dozen; forks before that are of a few blocks.
  polygon: 8,
}

/** Blocks below the head that are taken for final where a node does not know `finalized`: an ample hour or so. */
const FINAL_DEPTH: Record<Network, number> = {
  arbitrum: 14_400,
  base: 1800,
  'bnb-chain': 1200,
  ethereum: 300,
  polygon: 1800,
}

export interface Heads {
  head: BlockHeader
  finalized: BlockHeader | undefined
}

/** The newest block that can no longer leave the chain; -1 where there is none yet. */
export const finalBlockOf = (network: Network, { head, finalized }: Heads): number =>
  finalized?.number ?? Math.max(-1, head.number - FINAL_DEPTH[network])

/** The newest block to be indexed now. */
export function targetOf(heads: Heads, options: TargetOptions): number {
  const { network, confirmations = DEFAULT_CONFIRMATIONS[network], toBlock } = options
  const confirmed =
    confirmations === 'finalized' ? finalBlockOf(network, heads) : heads.head.number - confirmations
  return Math.min(confirmed, toBlock ?? Number.POSITIVE_INFINITY)
}

export interface TargetOptions {
  network: Network
  confirmations?: Confirmations | undefined
  toBlock?: number | undefined
}

/** A block that was final has left the chain. Which events are true is for people to find out. */
export class FinalityViolatedError extends Error {
  override readonly name = 'FinalityViolatedError'
  readonly code = 'finality-violated'

  constructor({
    network,
    blockNumber,
    finalBlock,
  }: { network: Network; blockNumber: number; finalBlock: number }) {
    super(
      `${network}: a block up to ${blockNumber} is no longer on the chain, although blocks up to ${finalBlock} were final. Nothing was changed. Check that the node is of the right chain; if it is, start again with --restart from a block before the fork on an empty table`,
    )
  }
}
