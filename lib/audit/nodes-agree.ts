import { getBlock } from '../chain/nodes/get-block.ts'
import type { NodeGroup } from '../chain/nodes/node-group.ts'
import { isOutage, NodesUnavailableError, reasonOf } from '../chain/nodes/rpc-errors.ts'
import type { Network } from '../events/networks.ts'
import type { AuditedBlock } from './audit-progress.ts'

const TIMEOUT_MS = 15_000
/** The maximum number of attempts per node, which is above one because a single request may fail by chance. */
const MOST_TRIES = 2

/** Thrown if a node does not confirm a block, because a repair might otherwise store events of another chain. */
export class NodesDisagreeError extends Error {
  override readonly name = 'NodesDisagreeError'
  readonly code = 'nodes-disagree'

  constructor({ network, doubt }: { network: Network; doubt: string }) {
    super(
      `${network}: the repair stopped, because not every node confirms the audited blocks: ${doubt}. Run the command again, or remove the faulty node from --rpc`,
    )
  }
}

/**
 * Returns a sentence for each node that lacks the block, has a different block with this number, or does not answer.
 * Empty if there is only one node. A single block is enough, because the block's hash commits to all lower blocks. With
 * `throwsOutage`, throws `NodesUnavailableError` if a node is down.
 */
export async function doubtsOfNodes(
  block: Pick<AuditedBlock, 'number' | 'hash'>,
  { nodes, signal, throwsOutage }: { nodes: NodeGroup; signal: AbortSignal; throwsOutage?: boolean },
): Promise<string[]> {
  if (nodes.members.length < 2) return []
  const asked = nodes.each({ maxRounds: MOST_TRIES, taskTimeoutMs: TIMEOUT_MS })
  const doubts = asked.map(async ({ members: [node], ask }) => {
    try {
      const header = await ask((node, limited) => getBlock(node, block.number, limited), signal)
      if (header?.hash === block.hash) return []
      return [
        `${node?.name} has ${header ? 'a different block' : 'no block'} with the number ${block.number}`,
      ]
    } catch (error) {
      signal.throwIfAborted()
      const reason = error instanceof NodesUnavailableError ? error.cause : error
      if (throwsOutage && isOutage(reason)) throw error
      return [`${node?.name} does not return block ${block.number}: ${reasonOf(reason)}`]
    }
  })
  return (await Promise.all(doubts)).flat()
}
