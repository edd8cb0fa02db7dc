import { deleteBlockTimesAbove } from '../../store/writing/block-times.ts'
import { findBlocksBehind } from '../../store/writing/delete-events.ts'
import { checkpointToRemember } from '../../store/writing/recent-blocks.ts'
import { remember } from './follow-head.ts'
import { type IndexSession, moveCheckpoint, recentTableOf } from './index-session.ts'
import { placeOfBlock } from './log-revision.ts'
import { NoWayBackError } from './start-errors.ts'

/**
 * Moves the checkpoint back to a block of the chain, although higher blocks may count as final. Remembers the blocks of
 * all higher events first, so that the repair, which follows, removes the events of those that are not on the chain.
 * The checkpoint's own block is remembered, too, because a remembered block above the checkpoint makes the next
 * `logStart` append an entry, even if this run is killed first. Also deletes the noted times of higher blocks, because
 * they may be those of orphaned blocks. Afterwards, no higher block counts as final. May be repeated after an
 * interruption. Calls `onBegin` before the first change. Throws `NoWayBackError` and changes nothing if the block is
 * not indexed.
 */
export async function goBack(
  session: IndexSession,
  { blockNumber, onBegin }: { blockNumber: number; onBegin: () => void },
): Promise<void> {
  const { network, reader, lease, state, stop } = session
  const { checkpoint } = state
  const { fromBlock } = lease.scope
  const last = checkpoint?.blockNumber ?? -1
  if (!checkpoint || blockNumber < fromBlock || blockNumber > last) {
    throw new NoWayBackError({ network, blockNumber, fromBlock, last })
  }
  const block = await reader.readHeader(blockNumber, stop)
  const isThere = blockNumber === last
  if (isThere && block.hash !== checkpoint.blockHash) {
    throw new NoWayBackError({ network, blockNumber, fromBlock, last: last - 1 })
  }
  const table = recentTableOf(session)
  const found = await findBlocksBehind(placeOfBlock(network, block), table)
  onBegin()
  await remember(session, [...found, ...checkpointToRemember(checkpoint, [...found, ...state.recent])])
  await deleteBlockTimesAbove(blockNumber, table)
  const { finalizedBlock } = checkpoint
  if (finalizedBlock !== undefined && finalizedBlock > blockNumber) {
    const finalizedTimestamp = block.timestamp
    state.checkpoint = { ...checkpoint, finalizedBlock: blockNumber, finalizedTimestamp }
  }
  await moveCheckpoint(session, block, -1)
}
