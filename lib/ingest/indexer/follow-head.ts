import { decodeLog } from '../../chain/logs/decode-log.ts'
import type { RawLog } from '../../chain/logs/raw-log.ts'
import type { BlockHeader } from '../../chain/nodes/block-header.ts'
import type { BlockRange } from '../../chain/nodes/get-block.ts'
import { noteOf, putBlockTimes } from '../../store/writing/block-times.ts'
import {
  addChunkLists,
  chunkListsOf,
  deleteRecentBlocks,
  putRecentBlocks,
  type RecentBlock,
} from '../../store/writing/recent-blocks.ts'
import { writeEvents } from '../../store/writing/write-events.ts'
import { followsOnCheckpoint, type IndexSession, moveCheckpoint } from './index-session.ts'

/** The number of blocks that are indexed together, with all their events in memory. */
const BLOCKS_AT_ONCE = 25
/** A smaller number for blocks whose receipts may be read, because slow nodes take long to return receipts. */
const PROVEN_AT_ONCE = 10

export function rangeAtHead({ proof, lease }: IndexSession, { first, last }: BlockRange): BlockRange {
  const isProven = proof === 'all' || (proof === 'doubt' && lease.scope.contracts !== 'any')
  return { first, last: Math.min(last, first + (isProven ? PROVEN_AT_ONCE : BLOCKS_AT_ONCE) - 1) }
}

/**
 * Indexes blocks that may still leave the chain: remembers the blocks, writes their events, and then moves the
 * checkpoint. Returns false and changes nothing if it detects a reorganisation. One sign of a reorganisation is that
 * the first block's parent is not the checkpoint's block. The other sign is that a block has replaced a block that an
 * aborted run remembered. The events of the replaced block must then be removed first.
 */
export async function followHead(
  session: IndexSession,
  range: BlockRange,
  finalBlock: number,
): Promise<boolean> {
  const { table, state, counts } = session
  const blocks = (await session.reader.readBlocks(range, session.stop)).map(block => ({
    ...block,
    records: recordsOf(session, block.logs),
  }))
  const [first] = blocks
  const last = blocks.at(-1)
  if (!first || !last || !followsOnCheckpoint(session, first.header)) return false
  const hashes = new Map(blocks.map(({ header }) => [header.number, header.hash]))
  const isReplaced = ({ blockNumber, blockHash }: RecentBlock) =>
    hashes.has(blockNumber) && hashes.get(blockNumber) !== blockHash
  if (state.recent.some(isReplaced)) return false

  const remembered = blocks.map(({ header, records }) => recentBlockOf(header, chunkListsOf(records)))
  await remember(session, remembered)
  const records = blocks.flatMap(block => block.records)
  counts.writeUnits += (await writeEvents({ ...table, client: session.writer }, records)).writeUnits
  await moveCheckpoint(session, last.header, finalBlock)
  counts.events += records.length
  counts.blocks += blocks.length
  session.onProgress()
  return true
}

/**
 * Remembers the checkpoint's block, because the search for a common ancestor needs a remembered block, but a backfill
 * remembers none.
 */
export async function rememberAncestor(session: IndexSession): Promise<void> {
  const { checkpoint, recent } = session.state
  if (!checkpoint || recent.some(({ blockHash }) => blockHash === checkpoint.blockHash)) return
  const header = await session.reader.readHeader(checkpoint.blockNumber, session.stop)
  if (header.hash === checkpoint.blockHash) await remember(session, [recentBlockOf(header, [])])
}

/**
 * Stores the time of the first final block in each group of a thousand block numbers. Then forgets the remembered final
 * blocks, except for the newest. A block is forgotten only if it is final according to the stored checkpoint, because
 * otherwise, `repairTable` could no longer write the block's events.
 */
export async function forgetFinalBlocks(session: IndexSession): Promise<void> {
  const { network, table, state } = session
  const { blockNumber = -1, finalizedBlock = -1 } = state.checkpoint ?? {}
  const upTo = Math.min(finalizedBlock, blockNumber)
  const final = state.recent.filter(({ blockNumber }) => blockNumber <= upTo)
  const forgotten = new Set(final.slice(0, -1))
  if (forgotten.size === 0) return
  // The times come from the remembered blocks, so they must be stored before these blocks are forgotten. The newest
  // final block stays remembered, so that a later call can tell whether the next block begins a group.
  const beginGroup = final.filter((block, index) => {
    const before = final[index - 1]
    return before && noteOf(before.blockNumber) !== noteOf(block.blockNumber)
  })
  await putBlockTimes(network, beginGroup, table)
  await deleteRecentBlocks([...forgotten], table)
  // `forgotten` is a set, because after a day without a new final block, it has hundreds of thousands of blocks.
  state.recent = state.recent.filter(block => !forgotten.has(block))
}

/**
 * Remembers blocks that may leave the chain, in memory and in the table. A block that is remembered again keeps its
 * chunk lists, because if the block leaves the chain, its events from an earlier scope must be removed, too.
 */
export async function remember(session: IndexSession, found: readonly RecentBlock[]) {
  const { state } = session
  const hashes = new Set(found.map(({ blockHash }) => blockHash))
  const blocks = found.map(block => {
    const known = state.recent.find(({ blockHash }) => blockHash === block.blockHash)
    return known ? addChunkLists(block, known.chunkLists) : block
  })
  // Memory is updated first: if the write to the table fails half-way, all of the blocks must be treated as stored.
  state.recent = [...state.recent.filter(({ blockHash }) => !hashes.has(blockHash)), ...blocks].sort(
    (a, b) => a.blockNumber - b.blockNumber,
  )
  await putRecentBlocks(blocks, session.table)
}

const recentBlockOf = (header: BlockHeader, chunkLists: RecentBlock['chunkLists']): RecentBlock => ({
  blockNumber: header.number,
  blockHash: header.hash,
  parentHash: header.parentHash,
  timestamp: header.timestamp,
  chunkLists,
})

function recordsOf({ counts, decoders }: IndexSession, logs: readonly RawLog[]) {
  return logs.flatMap(log => {
    const decoded = decodeLog(log, decoders)
    if ('record' in decoded) return [decoded.record]
    counts.rejected += 1
    return []
  })
}
