import { CHAINS, type Network } from '../../events/networks.ts'
import { isDevelopmentChain } from './check-chain.ts'
import type { Heads } from './read-chain.ts'

/** How far indexing stays below the head, in blocks, or `finalized` to index only final blocks. */
export type Confirmations = number | 'finalized'

/** Returns the number of the newest final block, or -1 if no block is final yet. */
export const finalBlockOf = (network: Network, { head, finalized }: Omit<Heads, 'chainId'>): number =>
  finalized?.number ?? Math.max(-1, head.number - CHAINS[network].finalDepth)

/**
 * By default, indexing stays this many blocks below the head: 0 on a development chain, so that events appear at once.
 */
export const defaultConfirmations = (network: Network, { chainId }: Pick<Heads, 'chainId'>): number =>
  isDevelopmentChain(chainId) ? 0 : CHAINS[network].confirmations

/** Returns the number of the newest block that can be indexed now. */
export function targetOf(heads: Heads, options: TargetOptions): number {
  const { network, confirmations = defaultConfirmations(network, heads), toBlock } = options
  const confirmed =
    confirmations === 'finalized' ? finalBlockOf(network, heads) : heads.head.number - confirmations
  return Math.min(confirmed, toBlock ?? Number.POSITIVE_INFINITY)
}

export interface TargetOptions {
  network: Network
  confirmations?: Confirmations | undefined
  toBlock?: number | undefined
}

/**
 * A block that was considered final is no longer on the chain, so an operator must find out which events are correct.
 */
export class FinalityViolatedError extends Error {
  override readonly name = 'FinalityViolatedError'
  readonly code = 'finality-violated'

  constructor({
    network,
    blockNumber,
    finalBlock,
  }: { network: Network; blockNumber: number; finalBlock: number }) {
    super(
      `${network}: block ${blockNumber} is no longer on the chain, although blocks up to ${finalBlock} were final. Nothing was changed. Compare the node with a block explorer. If the node is right, an earlier reply wrongly reported an orphaned block as final. To remove the events of orphaned blocks, run npm run index with --back-to and a block below the fork`,
    )
  }
}
