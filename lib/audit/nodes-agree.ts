import { parseBlockHeader } from '../ingest/chain/block-header.ts'
import type { NodeGroup } from '../ingest/chain/node-group.ts'
import { reasonOf } from '../ingest/chain/rpc-errors.ts'
import type { AuditedBlock } from './audit-progress.ts'

const TIMEOUT_MS = 15_000

/**
 * Requests a block from every node. Returns a sentence for each node that lacks the block, has a different block of
 * this number, or does not answer. Returns an empty list if only one node is configured. One block is enough, because a
 * block's hash commits to all lower blocks.
 */
export async function doubtsOfNodes(
  block: Pick<AuditedBlock, 'number' | 'hash'>,
  { nodes, signal }: { nodes: NodeGroup; signal: AbortSignal },
): Promise<string[]> {
  if (nodes.members.length < 2) return []
  const doubts = nodes.members.map(async node => {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    try {
      const request = [`0x${block.number.toString(16)}`, false]
      const header = parseBlockHeader(await node.request('eth_getBlockByNumber', request, limited))
      if (header?.hash === block.hash) return []
      return [
        `${node.name} has ${header ? 'another block' : 'no block'} in the place of block ${block.number}`,
      ]
    } catch (error) {
      signal.throwIfAborted()
      return [`${node.name} does not tell of block ${block.number}: ${reasonOf(error)}`]
    }
  })
  return (await Promise.all(doubts)).flat()
}
