import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { EventRecord } from '../../events/record.ts'
import { type BlockTime, noteOf, putBlockTimes } from '../../store/block-times.ts'
import { writeEvents } from '../../store/write-events.ts'
import { createRangeSize } from '../chain/range-size.ts'
import type { BlockRange } from '../chain/read-chain.ts'
import { decodeLog } from '../decode-log.ts'
import { type CheckpointBlock, type IndexSession, moveCheckpoint, recentTableOf } from './index-session.ts'
import { type ReadRange, readRanges } from './read-ranges.ts'

/** A checkpoint costs a write; what is behind it is written again after a stop. */
const CHECKPOINT_EVERY_MS = 1000

/** Once the first `events` events are stored, all are up to `block`. */
interface Mark {
  events: number
  block: CheckpointBlock
}

/**
 * Indexes blocks that can no longer leave the chain: reading is ahead of writing by one range, and the
 * checkpoint follows behind what is stored, block by block. Ends early when asked to stop.
 */
export async function backfill(
  session: IndexSession,
  range: BlockRange,
  { client, finalBlock }: { client: DynamoDBClient; finalBlock: number },
): Promise<void> {
  const marks = createMarks()
  /** Blocks whose times are to be noted, once their events are stored. */
  let notes: BlockTime[] = []
  let lastNote: number | undefined
  const eventsBefore = session.counts.events
  const unitsBefore = session.counts.writeUnits
  let movedAt = performance.now()
  let moving = Promise.resolve()

  async function moveTo(block: CheckpointBlock) {
    const before = session.state.checkpoint?.blockNumber ?? range.first - 1
    const due = notes.filter(({ blockNumber }) => blockNumber <= block.number)
    notes = notes.slice(due.length)
    await putBlockTimes(session.network, due, recentTableOf(session))
    await moveCheckpoint(session, block, finalBlock)
    session.counts.blocks += block.number - before
    session.onProgress()
  }

  function noteBlock({ blockNumber, createdAt }: EventRecord) {
    if (noteOf(blockNumber) === lastNote) return
    lastNote = noteOf(blockNumber)
    notes.push({ blockNumber, timestamp: Date.parse(createdAt) / 1000 })
  }

  async function* records(): AsyncGenerator<EventRecord> {
    for await (const read of readRanges(session.reader, range, {
      size: createRangeSize(),
      signal: session.stop,
    })) {
      for (const record of recordsOf(session, read, marks)) {
        noteBlock(record)
        yield record
      }
    }
  }

  const { events } = await writeEvents(
    {
      client,
      tableName: session.tableName,
      signal: session.abort,
      onStored: ({ events, writeUnits }) => {
        session.counts.events = eventsBefore + events
        session.counts.writeUnits = unitsBefore + writeUnits
        if (performance.now() - movedAt < CHECKPOINT_EVERY_MS) return
        movedAt = performance.now()
        const block = marks.reached(events)
        if (block) moving = moving.then(() => moveTo(block))
        moving.catch(() => undefined)
      },
    },
    records(),
  )
  await moving
  const block = marks.reached(events)
  if (block) await moveTo(block)
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

/** Remembers up to which block the first so and so many events reach. */
function createMarks() {
  let events = 0
  let marks: Mark[] = []
  return {
    countEvent() {
      events += 1
    },
    add(block: CheckpointBlock) {
      // Blocks without events only move the mark on.
      if (marks.at(-1)?.events === events) marks.pop()
      marks.push({ events, block })
    },
    /** The furthest block whose events, and all before, are among so many. */
    reached(stored: number): CheckpointBlock | undefined {
      const next = marks.findIndex(mark => mark.events > stored)
      const count = next < 0 ? marks.length : next
      const block = marks[count - 1]?.block
      marks = marks.slice(count)
      return block
    },
  }
}
