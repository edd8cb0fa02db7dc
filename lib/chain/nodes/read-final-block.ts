import { CHAINS } from '../../events/networks.ts'
import type { BlockHeader } from './block-header.ts'
import type { ChainNode } from './chain-node.ts'
import type { ExpectedChain } from './check-chain.ts'
import { getBlock } from './get-block.ts'
import type { NodeGroup } from './node-group.ts'
import { askOtherHosts, type CheckedNode } from './nodes-of-chain.ts'
import { isRefusal } from './rpc-errors.ts'

/** If the chain is not the network's own, a final block closer to the head than this many blocks is read again. */
const LEAST_DISTANCE = 1

/**
 * Undefined if the node does not support the tag `finalized`. In this case, use `finalDepth`. Throws if the node fails.
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
 * Creates a function that checks the final block that a node reports, and returns the block to treat as final. If the
 * reported block is too close to the head, the final block is read a second time, if possible from a node on another
 * host. The lower of the two blocks is then used. On the network's own chain, the result is undefined if this block is
 * also too close. On any other chain, such as a development chain, even the head may be final.
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
