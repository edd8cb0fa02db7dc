import * as z from 'zod/mini'
import { MAX_BLOCK_NUMBER, MAX_SECONDS } from '../../events/place.ts'
import { countSchema, hashSchema } from '../../events/record-fields.ts'
import {
  CLOCK_DIFFERENCE_SECONDS,
  INDEX_LAG_SECONDS,
  type IndexNote,
  settledThrough,
} from '../../query/indexed-through.ts'
import type { AttributeMap } from '../event-table.ts'

/** If two notes are closer than this, a note between them is dropped, because every note takes up space in the item. */
const NOTES_APART_SECONDS = 120
/** Of the notes older than this, only the newest is kept, because all indexes have the events up to its block. */
const KEPT_SECONDS = INDEX_LAG_SECONDS + 2 * CLOCK_DIFFERENCE_SECONDS

/** An event that was stored longer ago than this is in every index, even if the clocks differ. */
export const SETTLED_AFTER_SECONDS = INDEX_LAG_SECONDS + CLOCK_DIFFERENCE_SECONDS

/** The attribute of the checkpoint's item that contains the notes. A note records when a block was stored. */
export const indexedSinceSchema = z.object({
  /**
   * The notes are valid only while the checkpoint has this hash, because a writer that stores no notes may move the
   * checkpoint.
   */
  blockHash: hashSchema,
  /** Each note has the time at which a block was stored, the block's number, and the block's time. Sorted by number. */
  notes: z.array(z.tuple([countSchema, countSchema, countSchema])),
})

export type IndexedSince = z.infer<typeof indexedSinceSchema>

interface NotedCheckpoint {
  blockNumber: number
  blockHash: string
  /** The block's time, in Unix seconds. */
  timestamp: number
  indexedSince?: IndexedSince | undefined
}

/** `nowMs` is in milliseconds since 1970. The new checkpoint may be higher or lower than `before`. */
export function noteIndexed(
  before: NotedCheckpoint | undefined,
  { blockNumber, blockHash, timestamp }: NotedCheckpoint,
  nowMs: number,
): IndexedSince {
  // The time is rounded up, so that every event up to the block was stored by this time.
  const newest: IndexNote = { at: Math.ceil(nowMs / 1000), blockNumber, timestamp }
  const known = before ? notesBefore(before, newest) : []
  const notes = withoutOld([...thinned(known, newest), newest].filter(isFirstOfBlock), newest.at)
  return { blockHash, notes: notes.map(note => [note.at, note.blockNumber, note.timestamp]) }
}

/**
 * In each note whose block is above the new checkpoint, replaces the block with the checkpoint's block, which was also
 * stored by the note's time.
 */
function notesBefore(before: NotedCheckpoint, newest: IndexNote): IndexNote[] {
  const { blockNumber, blockHash, timestamp, indexedSince } = before
  const notes =
    indexedSince?.blockHash === blockHash
      ? indexedSince.notes.map(noteOf)
      : [{ at: newest.at, blockNumber, timestamp }]
  return notes.map(note => (note.blockNumber > newest.blockNumber ? { ...newest, at: note.at } : note))
}

/** The last block whose events are in every index by now. Undefined if no note is old enough. */
export function settledBlock(
  { blockHash, indexedSince }: NotedCheckpoint,
  nowMs: number,
): IndexNote | undefined {
  const notes = indexedSince?.blockHash === blockHash ? indexedSince.notes.map(noteOf) : []
  const last = settledThrough(notes, nowMs / 1000)
  return notes.find(({ blockNumber }) => blockNumber === last)
}

const noteOf = ([at, blockNumber, timestamp]: IndexedSince['notes'][number]): IndexNote => ({
  at,
  blockNumber,
  timestamp,
})

/** Drops the last note of `known` if the notes before and after it are close in time. */
function thinned(known: IndexNote[], newest: IndexNote): IndexNote[] {
  const [beforeLast, last] = known.slice(-2)
  if (!beforeLast || !last || last.blockNumber === newest.blockNumber) return known
  return newest.at - beforeLast.at < NOTES_APART_SECONDS ? known.slice(0, -1) : known
}

/** Whether the note is the first note of its block, which is the only note of this block that is needed. */
const isFirstOfBlock = ({ blockNumber }: IndexNote, index: number, notes: IndexNote[]) =>
  notes[index - 1]?.blockNumber !== blockNumber

/** Drops all old notes except the newest of them. */
function withoutOld(notes: IndexNote[], now: number): IndexNote[] {
  const lastOld = notes.findLastIndex(({ at }) => at <= now - KEPT_SECONDS)
  return notes.slice(Math.max(0, lastOld))
}

/** Empty if the notes are missing, invalid or malformed. */
export function notesIn(item: AttributeMap): IndexNote[] {
  const { blockHash, notes } = item.indexedSince?.M ?? {}
  if (blockHash?.S === undefined || blockHash.S !== item.blockHash?.S) return []
  const read = (notes?.L ?? []).map(({ L: [at, blockNumber, timestamp] = [] }) => ({
    at: Number(at?.N),
    blockNumber: Number(blockNumber?.N),
    timestamp: Number(timestamp?.N),
  }))
  return read.every(isNote) ? read : []
}

const isNote = ({ at, blockNumber, timestamp }: IndexNote, index: number, notes: IndexNote[]) =>
  isCount(at, Number.MAX_SAFE_INTEGER) &&
  isCount(blockNumber, MAX_BLOCK_NUMBER) &&
  isCount(timestamp, MAX_SECONDS) &&
  blockNumber > (notes[index - 1]?.blockNumber ?? -1)

export const isCount = (value: number, max: number) => Number.isInteger(value) && value >= 0 && value <= max
