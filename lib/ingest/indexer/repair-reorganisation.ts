import type { BlockHeader } from '../../chain/nodes/block-header.ts'
import { FinalityViolatedError } from '../../chain/nodes/finality.ts'
import { cutBatches } from '../../store/event-table.ts'
import { deleteEvents, readBlockEvents, type StoredEvent } from '../../store/writing/delete-events.ts'
import { deleteRecentBlocks, isFromTable, type RecentBlock } from '../../store/writing/recent-blocks.ts'
import { type IndexSession, moveCheckpoint } from './index-session.ts'
import { logRevision } from './log-revision.ts'

/** The number of headers that are read together. Most reorganisations replace fewer blocks, so one step suffices. */
const BLOCKS_PER_STEP = 25

/**
 * After a reorganisation, finds the common ancestor, moves the checkpoint back to it, records the orphaned events in
 * the log of revisions, and then removes them. In this order, an interruption does no harm. An orphaned block that
 * returns to the chain is above the checkpoint, so it is indexed again. While orphaned events remain, readers of the
 * feed read nothing above the checkpoint. If a final block was replaced, changes nothing and throws
 * `FinalityViolatedError`. Returns false if orphaned events may remain and therefore no block may be indexed yet.
 */
export async function repairReorganisation(session: IndexSession, head: BlockHeader): Promise<boolean> {
  const { state, counts, lease } = session
  const { checkpoint } = state
  const removedBefore = counts.removed
  const hasLeft = checkpoint !== undefined && !(await isOnChain(session, head))
  if (hasLeft) await moveBack(session, head)
  const above = state.recent.filter(
    block => !state.checkpoint || block.blockNumber > state.checkpoint.blockNumber,
  )
  const isCleared = await clearOrphans(session, { above, head })
  if (!hasLeft) return isCleared
  const blockNumber = state.checkpoint?.blockNumber ?? lease.scope.fromBlock - 1
  const depth = checkpoint.blockNumber - blockNumber
  session.onReorganised({ depth, blockNumber, removed: counts.removed - removedBefore })
  return isCleared
}

/**
 * If a node's head is above the checkpoint, but the node returns no block with the checkpoint's number, the node counts
 * as failed.
 */
async function isOnChain({ reader, state, stop }: IndexSession, head: BlockHeader): Promise<boolean> {
  const { checkpoint, recent } = state
  if (!checkpoint) return true
  if (head.number < checkpoint.blockNumber) {
    // The node lags, or its chain is still shorter than the indexed chain, so only its newest block can be compared.
    const same = recent.find(block => block.blockNumber === head.number)
    return same === undefined || same.blockHash === head.hash
  }
  const header =
    head.number === checkpoint.blockNumber ? head : await reader.readHeader(checkpoint.blockNumber, stop)
  return header.hash === checkpoint.blockHash
}

async function moveBack(session: IndexSession, head: BlockHeader): Promise<void> {
  const { state, lease } = session
  const { checkpoint } = state
  if (!checkpoint) return
  const finalBlock = checkpoint.finalizedBlock ?? -1
  const known = state.recent.filter(({ blockNumber }) => blockNumber <= checkpoint.blockNumber)
  const found = await findAncestor(session, known.toReversed(), head.number)
  const lowest = known[0] ?? checkpoint
  const isPossible = found
    ? found.blockNumber >= finalBlock
    : lowest.blockNumber <= lease.scope.fromBlock && lowest.blockNumber > finalBlock
  // A backfill remembers no block, so the checkpoint's block can be final and higher than all remembered blocks.
  const final = [...known, checkpoint].findLast(({ blockNumber }) => blockNumber <= finalBlock) ?? lowest
  const ancestor = isPossible ? found : await needOnChain(session, final)
  if (ancestor) {
    const { blockNumber: number, blockHash: hash, timestamp } = ancestor
    await moveCheckpoint(session, { number, hash, timestamp }, finalBlock)
  } else await beginAgain(session)
}

async function beginAgain({ lease, state, abort }: IndexSession): Promise<void> {
  await lease.deleteCheckpoint(abort)
  state.checkpoint = undefined
}

/**
 * A run that restarts at a later block does not index lower blocks again, so only this check shows whether a remembered
 * lower block left the chain while the run was starting. If such a block has left the chain, deletes the checkpoint, so
 * that the repair in the next step removes the block's events. Call this after the checkpoint has moved. Returns false
 * if it deleted the checkpoint.
 */
export async function checkBelowStart(session: IndexSession): Promise<boolean> {
  const { state, lease } = session
  const { blockNumber = -1, finalizedBlock = -1 } = state.checkpoint ?? {}
  const below = state.recent.filter(
    block => block.blockNumber < lease.scope.fromBlock && block.blockNumber > finalizedBlock,
  )
  for await (const step of besideChain(session, below, blockNumber)) {
    if (step.every(({ block, header }) => header?.hash === block.blockHash)) continue
    await beginAgain(session)
    return false
  }
  return true
}

async function findAncestor(
  session: IndexSession,
  blocks: readonly RecentBlock[],
  head: number,
): Promise<RecentBlock | undefined> {
  for await (const step of besideChain(session, blocks, head)) {
    const found = step.find(({ block, header }) => header?.hash === block.blockHash)
    if (found) return found.block
  }
  return undefined
}

/**
 * Yields the blocks in steps, each block with the chain's header of the same number, if the node has it. A node that
 * lacks a block up to `neededThrough` counts as failed.
 */
async function* besideChain(
  { reader, stop }: IndexSession,
  blocks: readonly RecentBlock[],
  neededThrough: number,
) {
  for (const step of cutBatches(blocks, BLOCKS_PER_STEP)) {
    const numbers = step.map(({ blockNumber }) => blockNumber)
    const headers = await reader.readHeaders(numbers, stop, neededThrough)
    yield step.map((block, index) => ({ block, header: headers[index] }))
  }
}

/**
 * Asks the nodes several times before it throws `FinalityViolatedError`, because a node may lag or serve an orphaned
 * chain.
 */
async function needOnChain<Block extends Pick<RecentBlock, 'blockNumber' | 'blockHash'>>(
  { network, reader, state, stop }: IndexSession,
  block: Block,
): Promise<Block> {
  if (await reader.isAnyOnChain([nameOf(block)], stop)) return block
  const finalBlock = state.checkpoint?.finalizedBlock ?? -1
  throw new FinalityViolatedError({ network, blockNumber: block.blockNumber, finalBlock })
}

const nameOf = ({ blockNumber, blockHash }: Pick<RecentBlock, 'blockNumber' | 'blockHash'>) => ({
  number: blockNumber,
  hash: blockHash,
})

/**
 * Removes the events of each block for whose number a node returns another block, and of the block's descendants. A
 * block above the head that the node lacks is left for a later call. A block that was remembered because the table had
 * its events may contain loaded events of other contracts. No indexer would store these events again, so the block's
 * events are removed only if every node has another block. Removes nothing and returns false if a node still has such a
 * block. If a repair has lowered the checkpoint, a final block above the checkpoint is treated in the same way, except
 * that the function throws `FinalityViolatedError` if every node has another block.
 */
async function clearOrphans(
  session: IndexSession,
  { above, head }: { above: readonly RecentBlock[]; head: BlockHeader },
): Promise<boolean> {
  const { network, state, counts, reader, stop } = session
  const finalBlock = state.checkpoint?.finalizedBlock ?? -1
  const isFinal = ({ blockNumber }: RecentBlock) => blockNumber <= finalBlock
  const isDoubtful = (block: RecentBlock) => isFromTable(block) || isFinal(block)
  /**
   * The hashes of the orphans. Their children are orphans, too, even if one of several nodes behind an address still
   * returns these children.
   */
  const gone = new Set<string>()
  const orphans: RecentBlock[] = []
  for await (const step of besideChain(session, above, head.number)) {
    for (const { block, header } of step) {
      const isReplaced = header !== undefined && header.hash !== block.blockHash
      if (!isReplaced && !gone.has(block.parentHash)) continue
      orphans.push(block)
      gone.add(block.blockHash)
    }
  }
  const doubtful = orphans.filter(isDoubtful)
  for (const step of cutBatches(doubtful, BLOCKS_PER_STEP))
    if (await reader.isAnyOnChain(step.map(nameOf), stop)) return false
  const final = doubtful.find(isFinal)
  if (final) throw new FinalityViolatedError({ network, blockNumber: final.blockNumber, finalBlock })
  // The highest blocks are removed first, because if the run ended in between, only their parents would show that they
  // have left the chain.
  for (const step of cutBatches(orphans.toReversed(), BLOCKS_PER_STEP)) {
    counts.removed += await removeOrphans(session, step)
    state.recent = state.recent.filter(block => !step.includes(block))
  }
  return true
}

/** Appends an entry even if the blocks have no events, because the blocks that replace them may have events. */
async function removeOrphans(session: IndexSession, orphans: readonly RecentBlock[]): Promise<number> {
  const { table } = session
  const found: { block: RecentBlock; events: StoredEvent[] }[] = []
  for (const block of orphans) found.push({ block, events: await readBlockEvents(block, table) })
  const records = found.flatMap(({ events }) => events.map(({ record }) => record))
  await logRevision(session, records)
  for (const each of found) await deleteEvents(each, table)
  await deleteRecentBlocks(orphans, table)
  return records.length
}
