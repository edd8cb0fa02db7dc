import * as z from 'zod/mini'
import { countSchema, hashSchema } from '../events/field-schemas.ts'
import { MAX_BLOCK_NUMBER, MAX_SECONDS } from '../events/place.ts'
import { CLOCK_DIFFERENCE_SECONDS, INDEX_LAG_SECONDS, type IndexNote } from '../query/indexed-through.ts'
import type { AttributeMap } from './event-table.ts'

/** A note between two that are less far apart says little more, and each takes room in the item. */
const NOTES_APART_SECONDS = 120
/** A reader's clock may differ in either direction. */
const KEPT_SECONDS = INDEX_LAG_SECONDS + 2 * CLOCK_DIFFERENCE_SECONDS

/** Since when the newest blocks of a network are stored, as it stands in the item of its checkpoint. */
export const indexedSinceSchema = z.object({
  /** The checkpoint's. Where it is another one, a writer that knows no notes has moved the checkpoint, and they are void. */
  blockHash: hashSchema,
  /** Of each note its moment, its block's number and that block's time; by rising block. */
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

/** The notes of a checkpoint that is moved from `before`, forward or back, at a moment in milliseconds since 1970. */
export function noteIndexed(
  before: NotedCheckpoint | undefined,
  { blockNumber, blockHash, timestamp }: NotedCheckpoint,
  nowMs: number,
): IndexedSince {
  // Rounded up: by then everything was stored.
  const newest: IndexNote = { at: Math.ceil(nowMs / 1000), blockNumber, timestamp }
  const known = before ? notesBefore(before, newest) : []
  const notes = withoutOld([...thinned(known, newest), newest].filter(isFirstOfBlock), newest.at)
  return { blockHash, notes: notes.map(note => [note.at, note.blockNumber, note.timestamp]) }
}

/** The notes so far. Who goes back keeps them: when a higher block was stored, this one was, too. */
function notesBefore(before: NotedCheckpoint, newest: IndexNote): IndexNote[] {
  const { blockNumber, blockHash, timestamp, indexedSince } = before
  const notes =
    indexedSince?.blockHash === blockHash
      ? indexedSince.notes.map(noteOf)
      : [{ at: newest.at, blockNumber, timestamp }]
  return notes.map(note => (note.blockNumber > newest.blockNumber ? { ...newest, at: note.at } : note))
}

const noteOf = ([at, blockNumber, timestamp]: IndexedSince['notes'][number]): IndexNote => ({
  at,
  blockNumber,
  timestamp,
})

/** Without the last note where the ones beside it are near each other. */
function thinned(known: IndexNote[], newest: IndexNote): IndexNote[] {
  const [beforeLast, last] = known.slice(-2)
  if (!beforeLast || !last || last.blockNumber === newest.blockNumber) return known
  return newest.at - beforeLast.at < NOTES_APART_SECONDS ? known.slice(0, -1) : known
}

/** Of several notes of one block the first says the most. */
const isFirstOfBlock = ({ blockNumber }: IndexNote, index: number, notes: IndexNote[]) =>
  notes[index - 1]?.blockNumber !== blockNumber

/** Of the notes that are old enough for every reader only the last one, which says the most. */
function withoutOld(notes: IndexNote[], now: number): IndexNote[] {
  const lastOld = notes.findLastIndex(({ at }) => at <= now - KEPT_SECONDS)
  return notes.slice(Math.max(0, lastOld))
}

/** The notes in the item of a checkpoint; none where they are void or malformed. */
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

/** Whether a number of an item is one that can stand there. */
export const isCount = (value: number, max: number) => Number.isInteger(value) && value >= 0 && value <= max
