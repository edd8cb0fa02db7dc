import { listPath, listsOf } from '../events/lists.ts'
import { placeOf } from '../events/place.ts'
import { type EventRecord, recordBytes, recordId } from '../events/record.ts'
import { INDEXES, LIST_KEY, listKey, PLACE_KEY } from './keys.ts'
import { isLongField } from './long-fields.ts'

/**
 * A record whose JSON is larger keeps its long fields apart, once, instead of in every list: a dozen
 * copies of 400 KB (the limit of an item) would cost thousands of write units.
 */
export const MAX_INLINE_BYTES = 8 * 1024
/** An item may hold 400 KB, names and keys included. */
export const CHUNK_BYTES = 350 * 1024

export type Item = Record<string, unknown>

export interface EventItems {
  /** The parts of the record's long fields; they must be stored before the items that refer to them. */
  chunks: Item[]
  /** One item for each list that the event belongs to. */
  entries: Item[]
}

/** Everything the table holds of one event. The keys follow from the record, so writing twice changes nothing. */
export function itemsOf(record: EventRecord): EventItems {
  const { id, ...fields } = record
  const chunks = Buffer.byteLength(JSON.stringify(record)) > MAX_INLINE_BYTES ? chunksOf(record) : []
  const attributes =
    chunks.length > 0
      ? { ...withoutLongFields(fields), chunks: chunks.length, bytes: recordBytes(record) }
      : fields
  const place = placeOf(record)
  const entries = listsOf(record).map(list => ({
    [LIST_KEY]: listKey(list, record.network),
    [PLACE_KEY]: place,
    ...(list.of === 'user' && { [INDEXES.user.key]: listPath(list) }),
    ...(list.of === 'token' && { [INDEXES.token.key]: listPath(list) }),
    ...(list.of === 'all' &&
      list.event === undefined && {
        [INDEXES.transaction.key]: record.transactionHash,
        [INDEXES.block.key]: record.blockNumber,
      }),
    ...attributes,
  }))
  return { chunks, entries }
}

/**
 * The partition of a large record's chunks. It names the block too: after a reorganisation the same
 * log can stand in another block while the orphan's chunks are still being removed.
 */
export function chunkList(
  record: Pick<EventRecord, 'network' | 'transactionHash' | 'logIndex' | 'blockHash'>,
): string {
  return `chunks#${recordId(record)}@${record.blockHash}`
}

/** The sort key of a chunk. */
export const chunkPlace = (index: number): string => String(index).padStart(4, '0')

function chunksOf(record: EventRecord): Item[] {
  const long = Object.entries(record).filter(([name]) => isLongField(name))
  const body = Buffer.from(JSON.stringify(Object.fromEntries(long)))
  const list = chunkList(record)
  return Array.from({ length: Math.ceil(body.length / CHUNK_BYTES) }, (_, index) => ({
    [LIST_KEY]: list,
    [PLACE_KEY]: chunkPlace(index),
    part: body.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
  }))
}

const withoutLongFields = (fields: object): Item =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !isLongField(name)))
