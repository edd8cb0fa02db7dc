import { CHAINS } from '../../events/networks.ts'
import { askOtherHosts } from './ask-other-hosts.ts'
import type { BlockHeader } from './block-header.ts'
import type { ChainNode } from './chain-node.ts'
import type { ExpectedChain } from './check-chain.ts'
import { getBlock } from './get-block.ts'
import type { NodeGroup } from './node-group.ts'
import type { CheckedNode } from './nodes-of-chain.ts'
import { isRefusal } from './rpc-errors.ts'

/** The distance between head and final block that is plausible on every chain. Only a chain of one node has less. */
const LEAST_DISTANCE = 1

/**
 * Reads the newest final block of a node. Undefined if the node does not know the block tag. An outage is thrown
 * instead, because the network's depth below the head is only a substitute for the tag.
 */
export const readFinalBlock = (node: ChainNode, signal: AbortSignal): Promise<BlockHeader | undefined> =>
  getBlock(node, 'finalized', signal).catch(error => {
    if (isRefusal(error)) return undefined
    throw error
  })

interface FinalClaim {
  node: CheckedNode
  head: BlockHeader
  finalized: BlockHeader | undefined
}

/**
 * Creates a function that returns the block to take as final, given the block that a node reports. If the block is too
 * near to the head for the chain, it is read again, from a node of another host if possible, and the lower block
 * counts. Undefined if this block is too near as well. A chain that is not the network's own, such as a development
 * chain, may have its final block at the head.
 */
export function createFinalityCheck(options: ExpectedChain & { nodes: NodeGroup }) {
  const { chainId: ownId, finalAfter } = CHAINS[options.network]
  const askAnother = askOtherHosts(options)
  return async ({ node, head, finalized }: FinalClaim, signal: AbortSignal) => {
    const isOwnChain = node.chainId === ownId
    const isFarEnough = ({ number }: BlockHeader) =>
      head.number - number >= (isOwnChain ? finalAfter : LEAST_DISTANCE)
    if (!finalized || isFarEnough(finalized)) return finalized
    const again = (await askAnother(node, readFinalBlock, signal)) ?? (await readFinalBlock(node, signal))
    if (!again) return undefined
    const lower = again.number < finalized.number ? again : finalized
    return isOwnChain && !isFarEnough(lower) ? undefined : lower
  }
}
