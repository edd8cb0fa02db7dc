import { crc32 } from 'node:zlib'
import { EVENT_KINDS, type EventKind, type FieldForm, KINDS, OWN_FIELDS } from '../../events/event-kinds.ts'
import { decodePlace, type Place } from '../../events/place.ts'
import type { EventRecord } from '../../events/record.ts'
import { recordId } from '../../events/record-fields.ts'
import { ByteReader, numberBytes, textBytes, varintBytes } from './byte-reader.ts'

/**
 * The format of a record in the bytes of an item. `../README.md` describes the flags, numbers and long fields.
 *
 *     1        high four bits: version; low four bits: kind
 *     1        flags
 *     20 each  the contract's address, then the kind's own addresses; the address in the list's path is left out
 *     32, 32   block hash, transaction hash
 *     …        the kind's other fields in the record's order
 *     4        CRC-32 of the list's path, a space, the place, and all earlier bytes of the record
 *
 * Network, block number, log index and time are not stored, because they follow from the place.
 */

const VERSION = 1
const IS_IN_CHUNKS = 1
/** The flag for an omitted first address. The next bits are the flags for the next addresses. */
const FIRST_LEFT_OUT = 2
const IS_IN_ALL = 32
const CHECKSUM_BYTES = 4

const isAddress = (form: FieldForm) => form === 'user' || form === 'address'

const KINDS_BY_NUMBER = new Map<number, { event: EventKind; addressCount: number }>(
  EVENT_KINDS.map(event => [
    KINDS[event].number,
    // The contract's address precedes the kind's own addresses.
    { event, addressCount: 1 + OWN_FIELDS[event].filter(([, form]) => isAddress(form)).length },
  ]),
)

/** The list and the place that an item's checksum covers. */
export interface ItemPosition {
  /** The path of the item's list, without the network. */
  path: string
  /** The address of the list's user or token, if any. */
  owner: string | undefined
  place: Place
  /** Whether the item is short, which means that `maxShortBytes` limits its fields. */
  isShort?: boolean
}

/** The bytes of a record, without the parts that differ between lists. */
export interface PackedRecord {
  number: number
  /** The contract's address and the kind's own addresses, in lower-case hex with `0x`. */
  addresses: string[]
  /**
   * The part between addresses and checksum. If a field is in chunks, three values replace it: the number of chunks,
   * the record's size in a response, and the field's checksum.
   */
  rest: Buffer
  /** The bytes that short items contain instead of `rest`. Undefined if short items contain `rest` too. */
  shortRest?: Buffer
  /** The bytes of the long field, if it is stored in chunks. */
  longField?: Buffer
}

export interface PackOptions {
  /** A longer field (a string, or pairs of ids and quantities) is stored in chunks. */
  maxInlineBytes: number
  /** The limit for a short item. A longer field is stored in the item of `all` or in chunks. */
  maxShortBytes: number
  chunkBytes: number
  /** Returns the record's size in a response. An item without its long field stores this size instead of the field. */
  responseBytes: () => number
}

type Fields = Readonly<Record<string, unknown>>

/**
 * The same result can be used for all of the record's lists. Throws a `RangeError` for a value that the format cannot
 * represent.
 */
export function packRecord(record: EventRecord, options: PackOptions): PackedRecord {
  const { number } = KINDS[record.event]
  const values = record as Fields
  const addresses = [record.address]
  const parts = [hexBytes(record.blockHash, 32), hexBytes(record.transactionHash, 32)]
  let longAt = parts.length
  for (const [name, form] of OWN_FIELDS[record.event]) {
    const value = values[name] as string
    switch (form) {
      case 'user':
      case 'address':
        addresses.push(value)
        break
      case 'uint256':
        parts.push(numberBytes(value))
        break
      case 'text':
      case 'ids':
        longAt = parts.length
        parts.push(form === 'text' ? textBytes(value) : pairBytes(values))
        break
      case 'quantities':
        // The case `ids` has already written the quantities, each after its id.
        break
      default:
        throw unknownForm(form)
    }
  }
  const rest = (...inPlaceOfLong: Buffer[]) => Buffer.concat(parts.toSpliced(longAt, 1, ...inPlaceOfLong))
  const packed = { number, addresses, rest: Buffer.concat(parts) }
  const longField = parts[longAt]
  if (!longField || longField.length <= options.maxShortBytes) return packed
  const size = varintBytes(options.responseBytes())
  if (longField.length <= options.maxInlineBytes) return { ...packed, shortRest: rest(size) }
  const chunks = varintBytes(Math.ceil(longField.length / options.chunkBytes))
  return { ...packed, rest: rest(chunks, size, checksumBytes(crc32(longField))), longField }
}

export function encodeItem(packed: PackedRecord, at: ItemPosition): Buffer {
  const { number, addresses, longField } = packed
  const shortRest = at.isShort ? packed.shortRest : undefined
  const isLeftOut = addresses.map(address => address === at.owner)
  const flags = isLeftOut.reduce(
    (bits, leftOut, index) => (leftOut ? bits | (FIRST_LEFT_OUT << index) : bits),
    longField ? IS_IN_CHUNKS : shortRest ? IS_IN_ALL : 0,
  )
  const kept = addresses.filter((_, index) => !isLeftOut[index]).map(address => hexBytes(address, 20))
  const body = Buffer.concat([Buffer.of((VERSION << 4) | number, flags), ...kept, shortRest ?? packed.rest])
  return Buffer.concat([body, checksumBytes(checksumOf(body, at))])
}

export interface DecodedItem {
  /** The record, without a long field that is stored elsewhere. */
  record: EventRecord
  elsewhere: LongField | undefined
}

/** A long field that is stored in the event's item of `all` or in chunks, instead of in this item. */
type LongField = {
  /** The size of the whole record in a response. */
  responseBytes: number
} & ({ isInAll: true } | { isInAll: false; chunks: number; checksum: number })

/** Throws a `TypeError` for bytes that are damaged, incomplete, from another position, or of an unknown version. */
export function decodeItem(data: Buffer, at: ItemPosition): DecodedItem {
  const parts = decodePlace(at.place)
  if (!parts) throw new TypeError('The place of the item is malformed')
  const version = (data[0] ?? 0) >> 4
  if (version !== VERSION) throw new TypeError(unknownVersion(version))
  const end = data.length - CHECKSUM_BYTES
  if (end < 2 || data.readUInt32BE(end) !== checksumOf(data.subarray(0, end), at)) {
    throw new TypeError('The bytes of the item are damaged, or belong to another item')
  }
  const number = (data[0] ?? 0) & 15
  const kind = KINDS_BY_NUMBER.get(number)
  if (!kind) throw new TypeError(`The item has the kind ${number}, which this program does not know`)
  const flags = data[1] ?? 0
  const reader = new ByteReader(data, { start: 2, end })
  const addresses = readAddresses(reader, { flags, count: kind.addressCount, owner: at.owner })
  const blockHash = reader.hex(32)
  const transactionHash = reader.hex(32)
  const { network, blockNumber, logIndex, seconds } = parts
  const record: Record<string, unknown> = {
    event: kind.event,
    id: recordId({ network, transactionHash, logIndex }),
    network,
    address: addresses[0],
    blockNumber,
    blockHash,
    transactionHash,
    logIndex,
    createdAt: new Date(seconds * 1000).toISOString(),
  }
  let elsewhere: LongField | undefined
  let next = 1
  for (const [name, form] of OWN_FIELDS[kind.event]) {
    // Creates the properties in the record's order, because the values may be read in a different order.
    record[name] ??= undefined
    switch (form) {
      case 'user':
      case 'address':
        record[name] = addresses[next++]
        break
      case 'uint256':
        record[name] = reader.number()
        break
      case 'text':
      case 'ids':
        if (flags & (IS_IN_CHUNKS | IS_IN_ALL)) elsewhere = readLongField(reader, flags)
        else if (form === 'text') record[name] = reader.text()
        else readPairs(reader, record)
        break
      case 'quantities':
        break
      default:
        throw unknownForm(form)
    }
  }
  reader.expectEnd()
  return { record: record as EventRecord, elsewhere }
}

function readLongField(reader: ByteReader, flags: number): LongField {
  if (flags & IS_IN_ALL) return { isInAll: true, responseBytes: reader.varint() }
  const [chunks, responseBytes] = [reader.varint(), reader.varint()]
  return { isInAll: false, chunks, responseBytes, checksum: reader.uint32() }
}

function readAddresses(
  reader: ByteReader,
  { flags, count, owner }: { flags: number; count: number; owner: string | undefined },
): string[] {
  const addresses: string[] = []
  for (let bit = FIRST_LEFT_OUT; addresses.length < count; bit <<= 1) {
    if ((flags & bit) === 0) addresses.push(reader.hex(20))
    else if (owner !== undefined) addresses.push(owner)
    else throw new TypeError('The item leaves out an address, but the name of its list has no address')
  }
  return addresses
}

/** Throws a `TypeError` if the bytes of the chunks are damaged or belong to another field. */
export function withLongField({ record, elsewhere }: DecodedItem, bytes: Buffer): EventRecord {
  if (!elsewhere || elsewhere.isInAll || crc32(bytes) !== elsewhere.checksum)
    throw new TypeError('The bytes of the long field are damaged')
  const reader = new ByteReader(bytes)
  const whole: Record<string, unknown> = { ...record }
  const text = OWN_FIELDS[record.event].find(([, form]) => form === 'text')
  if (text) whole[text[0]] = reader.text()
  else readPairs(reader, whole)
  reader.expectEnd()
  return whole as unknown as EventRecord
}

/** Call this in a `default` branch, so that a `switch` compiles only if every form has a branch. */
const unknownForm = (form: never) => new TypeError(`The form ${form} has no encoding`)

function pairBytes({ tokenIds, quantities }: Fields): Buffer {
  const ids = tokenIds as string[]
  const amounts = quantities as string[]
  if (ids.length !== amounts.length) throw new RangeError('There must be as many quantities as ids')
  const numbers = ids.flatMap((id, index) => [numberBytes(id), numberBytes(amounts[index] ?? '')])
  return Buffer.concat([varintBytes(ids.length), ...numbers])
}

function readPairs(reader: ByteReader, record: Record<string, unknown>): void {
  const tokenIds: string[] = []
  const quantities: string[] = []
  for (let left = reader.varint(); left > 0; left -= 1) {
    tokenIds.push(reader.number())
    quantities.push(reader.number())
  }
  record.tokenIds = tokenIds
  record.quantities = quantities
}

function checksumOf(body: Buffer, { path, place }: ItemPosition): number {
  return crc32(body, crc32(`${path} ${place}`))
}

function checksumBytes(checksum: number): Buffer {
  const bytes = Buffer.alloc(CHECKSUM_BYTES)
  bytes.writeUInt32BE(checksum)
  return bytes
}

function hexBytes(hex: string, length: number): Buffer {
  const bytes = Buffer.from(hex.slice(2), 'hex')
  if (bytes.length !== length || !hex.startsWith('0x'))
    throw new RangeError(`${hex} must be 0x and ${length} bytes in hex`)
  return bytes
}

const unknownVersion = (version: number) =>
  `The item has version ${version} of the format, but this program reads version ${VERSION}: ${version > VERSION ? 'a newer' : 'an older'} program wrote it`
