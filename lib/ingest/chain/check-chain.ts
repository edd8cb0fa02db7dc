import type { Network } from '../../events/networks.ts'
import { BadReplyError } from './rpc-errors.ts'

/** https://chainlist.org */
const CHAIN_IDS: Record<number, Network> = {
  1: 'ethereum',
  56: 'bnb-chain',
  137: 'polygon',
  8453: 'base',
  42161: 'arbitrum',
}

/**
 * Throws `BadReplyError` when a node of one network was given for another. The ids of test networks and
 * development nodes, which stand in for any network, are let through.
 */
export function checkChain(network: Network, chainId: number): void {
  const actual = CHAIN_IDS[chainId]
  if (actual !== undefined && actual !== network) {
    throw new BadReplyError(`The node is of ${actual}, not of ${network}`)
  }
}
