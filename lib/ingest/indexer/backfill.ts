import { decodeLog } from '../../chain/logs/decode-log.ts'
import type { BlockHeader } from '../../chain/nodes/block-header.ts'
import type { BlockRange } from '../../chain/nodes/get-block.ts'
import { createRangeSize } from '../../chain/nodes/range-size.ts'
import type { EventRecord } from '../../events/record.ts'
import { type BlockTime, noteOf, putBlockTimes } from '../../store/writing/block-times.ts'
import { writeEvents } from '../../store/writing/write-events.ts'
import { type CheckpointBlock, type IndexSession, moveCheckpoint } from './index-session.ts'
import { type ReadRange, readRanges } from './read-ranges.ts'

/**
 * The time between checkpoints. A shorter time needs more writes, and a longer time repeats more writes after a crash.
 */
const CHECKPOINT_EVERY_MS = 1000
/**
 * If no batch has moved the checkpoint for this long, the events of an incomplete batch are stored, and the checkpoint
 * moves. Otherwise, if events are rare, a crash or an outage of the nodes could waste hours of reading.
 */
const FLUSH_AFTER_MS = 5000
/**
 * Widths in blocks. Each header and most receipts need a request, so a wider range would exceed a node's time limit.
 */
const PROVEN_RANGE = { initial: 50, maximum: 200 }

/**
 * Indexes final blocks, and reads the next range while it writes the current range. Moves the checkpoint only to blocks
 * whose events are all stored. Ends early when `session.stop` aborts. Also ends below a block that replaces a
 * remembered block, because the remembered block's events must be removed first. Also ends below a block if `linked`
 * has a different block with this number, because a node then serves another chain. `linked` contains blocks of the
 * chain, in ascending order, up to the final block or a block above it.
 */
export async function backfill(
  session: IndexSession,
  { linked, ...range }: BlockRange & { linked: readonly BlockHeader[] },
  finalBlock: number,
): Promise<void> {
  const marks = createMarks()
  /** The block times to store when the checkpoint reaches their blocks. */
  let notes: BlockTime[] = []
  let lastNote: number | undefined
  let movedAt = performance.now()
  let moving = Promise.resolve()

  async function moveTo(block: CheckpointBlock) {
    const before = session.state.checkpoint?.blockNumber ?? range.first - 1
    const due = notes.filter(({ blockNumber }) => blockNumber <= block.number)
    notes = notes.slice(due.length)
    await putBlockTimes(session.network, due, session.table)
    await moveCheckpoint(session, block, finalBlock)
    session.counts.blocks += block.number - before
    session.onProgress()
  }

  function noteBlock({ blockNumber, createdAt }: EventRecord) {
    if (noteOf(blockNumber) === lastNote) return
    lastNote = noteOf(blockNumber)
    notes.push({ blockNumber, timestamp: Date.parse(createdAt) / 1000 })
  }

  const { checkpoint, recent } = session.state
  const ranges = readRanges(
    session.reader,
    {
      ...range,
      parentHash: checkpoint?.blockHash,
      hasChild: linked.some(({ number }) => number > range.last),
    },
    {
      size: createRangeSize(session.proof === 'all' ? PROVEN_RANGE : {}),
      ends: recent.map(({ blockNumber }) => blockNumber),
      signal: session.stop,
    },
  )
  let hasEnded = false

  async function* records(): AsyncGenerator<EventRecord> {
    do {
      const { value: read } = await ranges.next()
      hasEnded = !read || isReplaced(read.last)
      if (!read || hasEnded) return
      for (const record of recordsOf(session, read, marks)) {
        noteBlock(record)
        yield record
      }
      // If the checkpoint cannot be moved, the run ends, because the next run would have to repeat all further writes.
      await moving
    } while (performance.now() - movedAt < FLUSH_AFTER_MS)
  }

  const isReplaced = ({ number, hash }: BlockHeader) =>
    recent.some(block => block.blockNumber === number && block.blockHash !== hash) ||
    linked.some(block => block.number === number && block.hash !== hash)

  let stored = 0
  while (!hasEnded) {
    const { events: eventsBefore, writeUnits: unitsBefore } = session.counts
    const { events } = await writeEvents(
      {
        ...session.table,
        client: session.writer,
        onStored: ({ events, writeUnits }) => {
          session.counts.events = eventsBefore + events
          session.counts.writeUnits = unitsBefore + writeUnits
          if (performance.now() - movedAt < CHECKPOINT_EVERY_MS) return
          movedAt = performance.now()
          const block = marks.reached(stored + events)
          if (block) moving = moving.then(() => moveTo(block))
          moving.catch(() => undefined)
        },
      },
      records(),
    )
    await moving
    stored += events
    const block = marks.reached(stored)
    if (block) await moveTo(block)
    movedAt = performance.now()
  }
}

function* recordsOf(
  { counts, decoders }: IndexSession,
  { logs, last }: ReadRange,
  marks: ReturnType<typeof createMarks>,
) {
  let previous: CheckpointBlock | undefined
  for (const log of logs) {
    if (previous && previous.number !== log.blockNumber) marks.add(previous)
    previous = { number: log.blockNumber, hash: log.blockHash, timestamp: log.blockTimestamp }
    const decoded = decodeLog(log, decoders)
    if ('rejection' in decoded) {
      counts.rejected += 1
      continue
    }
    marks.countEvent()
    yield decoded.record
  }
  marks.add(last)
}

/** Maps a number of stored events to the last block whose events are all stored. */
function createMarks() {
  let events = 0
  let marks: { events: number; block: CheckpointBlock }[] = []
  return {
    countEvent() {
      events += 1
    },
    add(block: CheckpointBlock) {
      // If no event was counted since the last mark, the new mark replaces it, because both have the same number of
      // events.
      if (marks.at(-1)?.events === events) marks.pop()
      marks.push({ events, block })
    },
    /** Returns the last block whose events are all stored, and drops the marks up to this block. */
    reached(stored: number): CheckpointBlock | undefined {
      const next = marks.findIndex(mark => mark.events > stored)
      const count = next < 0 ? marks.length : next
      const block = marks[count - 1]?.block
      marks = marks.slice(count)
      return block
    },
  }
}
