import { findBlocksBehind } from '../../store/writing/delete-events.ts'
import { remember } from './follow-head.ts'
import { type IndexSession, moveCheckpoint, recentTableOf } from './index-session.ts'
import { logRevision, placeOfBlock } from './log-revision.ts'
import { NoWayBackError } from './start-errors.ts'

/**
 * Moves the checkpoint back to a block of the chain, although higher blocks may count as final. Remembers the blocks of
 * all higher events first, so that the repair, which follows, removes the events of those that are not on the chain.
 * Then no block above counts as final. May be repeated after an interruption. Throws `NoWayBackError` and changes
 * nothing if the block is not indexed.
 */
export async function goBack(session: IndexSession, blockNumber: number): Promise<void> {
  const { network, reader, lease, state, stop } = session
  const { checkpoint } = state
  const { fromBlock } = lease.scope
  const last = checkpoint?.blockNumber
  if (!checkpoint || blockNumber < fromBlock || blockNumber > checkpoint.blockNumber) {
    throw new NoWayBackError({ network, blockNumber, fromBlock, last })
  }
  const block = await reader.readHeader(blockNumber, stop)
  const isThere = blockNumber === last
  if (isThere && block.hash !== checkpoint.blockHash) {
    throw new NoWayBackError({ network, blockNumber, fromBlock, last: last - 1 })
  }
  const place = placeOfBlock(network, block)
  await remember(session, await findBlocksBehind(place, recentTableOf(session)))
  const { finalizedBlock } = checkpoint
  if (finalizedBlock !== undefined && finalizedBlock > blockNumber) {
    const finalizedTimestamp = block.timestamp
    state.checkpoint = { ...checkpoint, finalizedBlock: blockNumber, finalizedTimestamp }
  }
  await moveCheckpoint(session, block, -1)
  await logRevision(session, [])
}
