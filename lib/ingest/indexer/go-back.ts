import { BEGINNING } from '../../events/place.ts'
import { deleteBlockTimesAbove } from '../../store/writing/block-times.ts'
import { findBlocksBehind } from '../../store/writing/delete-events.ts'
import { checkpointToRemember } from '../../store/writing/recent-blocks.ts'
import { remember } from './follow-head.ts'
import { type IndexSession, moveCheckpoint } from './index-session.ts'
import { placeOfBlock } from './log-revision.ts'
import { NoWayBackError } from './start-errors.ts'

/**
 * Moves the checkpoint back to a block on the chain, even if higher blocks count as final. First remembers the blocks
 * of all higher events, so that the following repair removes the events of orphaned blocks. Also remembers the old
 * checkpoint's block: a remembered block above the checkpoint makes `logStart` append an entry, in this run or, if this
 * run is killed, in the next. Deletes the stored times of higher blocks, because these blocks may be orphaned.
 * Afterwards, no higher block counts as final. Can be repeated after an interruption. Calls `onBegin` before the first
 * change. Throws `NoWayBackError` and changes nothing if the block is not indexed, or if the checkpoint's block, a
 * remembered block or a stored event's block has the same number but a different hash.
 */
export async function goBack(
  session: IndexSession,
  { blockNumber, onBegin }: { blockNumber: number; onBegin: () => void },
): Promise<void> {
  const { network, reader, lease, table, state, stop } = session
  const { checkpoint } = state
  const { fromBlock } = lease.scope
  const last = checkpoint?.blockNumber ?? -1
  if (!checkpoint || blockNumber < fromBlock || blockNumber > last) {
    throw new NoWayBackError({ network, blockNumber, fromBlock, last })
  }
  // The block counts as final afterwards, so it must not come from a node that is still on an orphaned chain.
  const { block, parent } = await reader.readAgreedBlock(blockNumber, stop)
  const stored = await findBlocksBehind(parent ? placeOfBlock(network, parent) : BEGINNING, table)
  // The run continues above this block, so a table with a different block of this number would never get this block's
  // events.
  const isOther = (known: { blockNumber: number; blockHash: string }) =>
    known.blockNumber === blockNumber && known.blockHash !== block.hash
  if ([checkpoint, ...state.recent, ...stored].some(isOther)) {
    throw new NoWayBackError({ network, blockNumber, fromBlock, last: blockNumber - 1 })
  }
  const found = stored.filter(({ blockHash }) => blockHash !== block.hash)
  onBegin()
  await remember(session, [...found, ...checkpointToRemember(checkpoint, [...found, ...state.recent])])
  await deleteBlockTimesAbove(blockNumber, table)
  const { finalizedBlock } = checkpoint
  if (finalizedBlock !== undefined && finalizedBlock > blockNumber) {
    state.checkpoint = { ...checkpoint, finalizedBlock: blockNumber, finalizedTimestamp: block.timestamp }
  }
  await moveCheckpoint(session, block, -1)
}
