import { CHAINS, type Network } from '../../events/networks.ts'
import { isDevelopmentChain } from '../chain/check-chain.ts'
import type { Heads } from '../chain/read-chain.ts'

/** How far to stay behind the head: a number of blocks, or as far as the chain is final. */
export type Confirmations = number | 'finalized'

/** The newest block that can no longer leave the chain; -1 where there is none yet. */
export const finalBlockOf = (network: Network, { head, finalized }: Omit<Heads, 'chainId'>): number =>
  finalized?.number ?? Math.max(-1, head.number - CHAINS[network].finalDepth)

/** How far to stay behind the head where nobody says so: a development chain is all its user's own. */
export const defaultConfirmations = (network: Network, { chainId }: Pick<Heads, 'chainId'>): number =>
  isDevelopmentChain(chainId) ? 0 : CHAINS[network].confirmations

/** The newest block to be indexed now. */
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
      `${network}: block ${blockNumber} is no longer on the chain, although blocks up to ${finalBlock} were final. Nothing was changed. Check that the node is of the right chain; if it is, start again with --restart from a block before the fork on an empty table`,
    )
  }
}
