import { type EventList, listsOf } from '../events/lists.ts'
import { type Place, placeOf } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { recordBytes } from '../events/record-bytes.ts'
import { recordId } from '../events/record-id.ts'
import { cutBytes } from './bytes.ts'
import { DATA, INDEXES, LIST_KEY, listKey, PLACE_KEY, pathOf, type WrittenList, writtenList } from './keys.ts'
import { encodeItem, type ItemPosition, type PackedRecord, packRecord } from './record-codec.ts'

/**
 * A long field of more bytes is kept apart, once, instead of in every list: two dozen copies of 400 KB (the
 * limit of an item) would cost thousands of write units.
 */
export const MAX_INLINE_BYTES = 4 * 1024
/**
 * In the lists of token ids, of which an event may have thousands, an item with a key of 78 digits and more bytes than
 * this would take a second write unit (1 KB), and so would its index entry.
 */
const MAX_SHORT_BYTES = 512
/** An item may hold 400 KB, names and keys included. */
export const CHUNK_BYTES = 350 * 1024

export type Item = Record<string, unknown>

export interface EventItems {
  /** The parts of the record's long field; they must be stored before the items that refer to them. */
  chunks: Item[]
  /** One item for each list that the event belongs to; that of `all` first. */
  entries: Item[]
}

/** Everything the table holds of one event. The keys follow from the record, so writing twice changes nothing. */
export function itemsOf(record: EventRecord): EventItems {
  const packed = packEvent(record)
  const list = chunkList(record)
  const chunks = cutBytes(packed.bytes.longField ?? Buffer.alloc(0), CHUNK_BYTES).map((part, index) => ({
    [LIST_KEY]: list,
    [PLACE_KEY]: chunkPlace(index),
    [DATA]: part,
  }))
  return { chunks, entries: listsOf(record).map(each => itemIn(each, packed)) }
}

/** What the items of an event have in common. */
export interface PackedEvent {
  record: EventRecord
  place: Place
  bytes: PackedRecord
}

export const packEvent = (record: EventRecord): PackedEvent => ({
  record,
  place: placeOf(record),
  bytes: packRecord(record, {
    maxInlineBytes: MAX_INLINE_BYTES,
    maxShortBytes: MAX_SHORT_BYTES,
    chunkBytes: CHUNK_BYTES,
    responseBytes: () => recordBytes(record),
  }),
})

/** The item of one of the lists that the event is written into. */
export const itemIn = (list: WrittenList, { record, place, bytes }: PackedEvent): Item => ({
  [LIST_KEY]: listKey(list, record.network),
  [PLACE_KEY]: place,
  ...(list.of === 'user' && { [INDEXES.user.key]: pathOf(list) }),
  ...(list.of === 'token' && { [INDEXES.token.key]: pathOf(list) }),
  ...(list.of === 'all' &&
    list.event === undefined && {
      [INDEXES.transaction.key]: record.transactionHash,
      [INDEXES.block.key]: record.blockNumber,
    }),
  [DATA]: encodeItem(bytes, positionIn(list, place)),
})

/** Where the item of a place in a list stands. */
export function positionIn(list: EventList, place: Place): ItemPosition {
  const written = writtenList(list)
  return {
    path: pathOf(written),
    owner: written.of === 'all' ? undefined : written.address,
    place,
    isShort: written.of === 'token' && written.tokenId !== undefined,
  }
}

/**
 * The partition of a long field's chunks. It names the block too: after a reorganisation the same
 * log can stand in another block while the orphan's chunks are still being removed.
 */
export function chunkList(
  record: Pick<EventRecord, 'network' | 'transactionHash' | 'logIndex' | 'blockHash'>,
): string {
  return `chunks#${recordId(record)}@${record.blockHash}`
}

/** The sort key of a chunk. */
export const chunkPlace = (index: number): string => String(index).padStart(4, '0')
