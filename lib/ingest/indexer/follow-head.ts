import { noteOf, putBlockTimes } from '../../store/block-times.ts'
import { deleteRecentBlocks, putRecentBlocks, type RecentBlock } from '../../store/recent-blocks.ts'
import { chunkListsOf, writeRecentEvents } from '../../store/write-recent-events.ts'
import type { BlockHeader } from '../chain/block-header.ts'
import type { BlockRange } from '../chain/read-chain.ts'
import { decodeLog } from '../decode-log.ts'
import type { RawLog } from '../raw-log.ts'
import { followsOnCheckpoint, type IndexSession, moveCheckpoint, recentTableOf } from './index-session.ts'

/** So many blocks are indexed at once; all of their events are in memory. */
export const BLOCKS_AT_ONCE = 25

/**
 * Indexes blocks that may still leave the chain, in this order: the blocks are remembered, their events
 * are written, the checkpoint moves. Changes nothing, and says so, when the chain has just been reorganised: when the
 * first block does not follow on the checkpoint, or one stands where another is remembered, by a run that was broken off,
 * whose events have to go first.
 */
export async function followHead(
  session: IndexSession,
  range: BlockRange,
  finalBlock: number,
): Promise<boolean> {
  const { state, counts } = session
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

  const table = recentTableOf(session)
  const remembered = blocks.map(({ header, records }) => recentBlockOf(header, chunkListsOf(records)))
  await remember(session, remembered)
  const records = blocks.flatMap(block => block.records)
  counts.writeUnits += await writeRecentEvents(records, table)
  await moveCheckpoint(session, last.header, finalBlock)
  counts.events += records.length
  counts.blocks += blocks.length
  session.onProgress()
  return true
}

/** Makes sure that the checkpoint's block is among those that a search for a common ancestor looks at. */
export async function rememberCheckpoint(session: IndexSession, header: BlockHeader): Promise<void> {
  const isKnown = session.state.recent.some(({ blockHash }) => blockHash === header.hash)
  if (!isKnown) await remember(session, [recentBlockOf(header, [])])
}

/**
 * Forgets the blocks that can no longer leave the chain, up to the last one before the others, and notes the time of
 * those that begin a group of blocks.
 */
export async function forgetFinalBlocks(session: IndexSession, finalBlock: number): Promise<void> {
  const { state } = session
  const upTo = Math.min(finalBlock, state.checkpoint?.blockNumber ?? -1)
  const final = state.recent.filter(({ blockNumber }) => blockNumber <= upTo)
  const forgotten = final.slice(0, -1)
  if (forgotten.length === 0) return
  // Before they are forgotten: the last one that stays tells the next run where the group has been.
  const beginGroup = final.filter((block, index) => {
    const before = final[index - 1]
    return before && noteOf(before.blockNumber) !== noteOf(block.blockNumber)
  })
  await putBlockTimes(session.network, beginGroup, recentTableOf(session))
  await deleteRecentBlocks(forgotten, recentTableOf(session))
  state.recent = state.recent.filter(block => !forgotten.includes(block))
}

async function remember(session: IndexSession, blocks: readonly RecentBlock[]) {
  const { state } = session
  const hashes = new Set(blocks.map(({ blockHash }) => blockHash))
  // In memory first: if storing fails half-way, all of them are taken for stored.
  state.recent = [...state.recent.filter(({ blockHash }) => !hashes.has(blockHash)), ...blocks].sort(
    (a, b) => a.blockNumber - b.blockNumber,
  )
  await putRecentBlocks(blocks, recentTableOf(session))
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
