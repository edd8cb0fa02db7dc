import { type EventList, listsOf } from '../../events/lists.ts'
import { NETWORKS, type Network } from '../../events/networks.ts'
import { type Place, placeOf } from '../../events/place.ts'
import type { EventRecord } from '../../events/record.ts'
import { recordBytes, recordId } from '../../events/record-fields.ts'
import { cutBytes } from './byte-reader.ts'
import { DATA, INDEXES, LIST_KEY, listKey, PLACE_KEY, pathOf, writtenList } from './keys.ts'
import { type DecodedItem, decodeItem, encodeItem, type ItemPosition, packRecord } from './record-codec.ts'

/** A longer field is stored once, in chunks, because two dozen copies of 400 KB would cost thousands of write units. */
export const MAX_INLINE_BYTES = 4 * 1024
/**
 * A smaller limit for items in the list of a token id, because an event may have thousands of ids. With this limit,
 * such an item and its index entry take one write unit (1 KB) each, even if the key contains an id of 78 digits.
 */
const MAX_SHORT_BYTES = 512
/** The maximum size of a chunk in bytes: DynamoDB limits an item to 400 KB, including attribute names and keys. */
export const CHUNK_BYTES = 350 * 1024

export type Item = Record<string, unknown>

export const keyOf = (item: Item): string => `${item[LIST_KEY]} ${item[PLACE_KEY]}`

export interface EventItems {
  /** The chunks of the record's long field, which must be stored before `entries`. */
  chunks: Item[]
  /** One item for each list that contains the event, beginning with the item in `all`. */
  entries: Item[]
}

/**
 * Returns a function for a table of these networks. The function throws a `TypeError` for an event of another network.
 * The keys are derived from the record, so writing the items again changes nothing.
 */
export function itemsFor(networks: readonly Network[] = NETWORKS) {
  return (record: EventRecord): EventItems => {
    if (!networks.includes(record.network)) {
      throw new TypeError(
        `The table stores only ${networks.join(', ')}, but ${record.id} is an event of ${record.network}`,
      )
    }
    const place = placeOf(record)
    const packed = packRecord(record, {
      maxInlineBytes: MAX_INLINE_BYTES,
      maxShortBytes: MAX_SHORT_BYTES,
      chunkBytes: CHUNK_BYTES,
      responseBytes: () => recordBytes(record),
    })
    const chunks = cutBytes(packed.longField ?? Buffer.alloc(0), CHUNK_BYTES).map((part, index) => ({
      [LIST_KEY]: chunkList(record),
      [PLACE_KEY]: chunkPlace(index),
      [DATA]: part,
    }))
    const entries = listsOf(record).map(list => ({
      [LIST_KEY]: listKey(list, record.network),
      [PLACE_KEY]: place,
      // With one network, the indexes of users and tokens would only repeat the lists, so items omit the index keys.
      ...(list.of !== 'all' && networks.length > 1 && { [INDEXES[list.of].key]: pathOf(list) }),
      ...(list.of === 'all' &&
        list.event === undefined && {
          [INDEXES.transaction.key]: record.transactionHash,
          [INDEXES.block.key]: record.blockNumber,
        }),
      [DATA]: encodeItem(packed, positionIn(list, place)),
    }))
    return { chunks, entries }
  }
}

/** Returns the items of an event in a table of all networks. */
export const itemsOf = (record: EventRecord): EventItems => itemsFor()(record)

/**
 * Decodes an item's bytes into the record and the location of its long field. Accepts bytes that the plain client or
 * the document client has read. Throws a `TypeError` if the bytes are missing, damaged, or from another list or place.
 */
export function readItem(bytes: unknown, { list, place }: { list: EventList; place: Place }): DecodedItem {
  if (!(bytes instanceof Uint8Array)) throw new TypeError('The item has no data')
  return decodeItem(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), positionIn(list, place))
}

export function positionIn(list: EventList, place: Place): ItemPosition {
  const written = writtenList(list)
  return {
    path: pathOf(written),
    owner: written.of === 'all' ? undefined : written.address,
    place,
    isShort: written.of === 'token' && written.tokenId !== undefined,
  }
}

/** The key contains the block's hash, because the block may be replaced by another block with the same log. */
export function chunkList(
  record: Pick<EventRecord, 'network' | 'transactionHash' | 'logIndex' | 'blockHash'>,
): string {
  return `chunks#${recordId(record)}@${record.blockHash}`
}

export const chunkPlace = (index: number): string => String(index).padStart(4, '0')
