import { crc32 } from 'node:zlib'
import { EVENT_KINDS, type EventKind, type FieldForm, KINDS, OWN_FIELDS } from '../events/event-kinds.ts'
import { decodePlace, type Place } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import { recordId } from '../events/record-id.ts'
import { ByteReader, numberBytes, textBytes, varintBytes } from './bytes.ts'

/*
 * How a record stands in the bytes of an item:
 *
 *   1        version (high four bits) and kind (low four)
 *   1        flags: bit 0 where the long field is kept apart, bit 5 where it stands in the event's item of `all`; from
 *            bit 1 on, an address that is left out
 *   20 each  the contract's address, then the kind's own; those equal to the address in the list's path are left out
 *   32, 32   block hash, transaction hash
 *   …        the kind's other fields in the record's order
 *   4        CRC-32 of the list's path, the place, and all bytes before
 *
 * A number is a byte with its length, then its bytes, big-endian and without leading zeros. A text is its length as
 * a varint, then UTF-8. Pairs of id and quantity are their count as a varint, then the numbers. In place of a long
 * field that is kept apart there are two varints, how many chunks it has and how large the record is in a response,
 * and the CRC-32 of the field's bytes; in place of one that stands in the item of `all`, only how large the record is.
 * What list and place say (network, block number, log index, time) is not stored again.
 */

const VERSION = 1
const IS_APART = 1
/** The flag of the first address; the next one has the next bit. */
const FIRST_LEFT_OUT = 2
const IS_IN_ALL = 32
const CHECKSUM_BYTES = 4

const isAddress = (form: FieldForm) => form === 'user' || form === 'address'

/** By the number that stands in the bytes. */
const KINDS_BY_NUMBER = new Map<number, { event: EventKind; addressCount: number }>(
  EVENT_KINDS.map(event => [
    KINDS[event].number,
    // The contract's stands before the kind's own.
    { event, addressCount: 1 + OWN_FIELDS[event].filter(([, form]) => isAddress(form)).length },
  ]),
)

/** Where an item stands; list and place are part of what its checksum is over. */
export interface ItemPosition {
  /** The path of its list in the keys, without the network. */
  path: string
  /** The address that the list is about, where it is about one. */
  owner: string | undefined
  place: Place
  /** Whether it is a list whose items are kept short. */
  isShort?: boolean
}

/** A record in bytes, but for what depends on the list that it is written into. */
export interface PackedRecord {
  /** Of the kind. */
  number: number
  /** The contract's and the kind's own, in lower-case hex with `0x`. */
  addresses: string[]
  /** What follows them up to the checksum; the long field replaced where it is kept apart. */
  rest: Buffer
  /** The same for lists whose items are kept short, where the long field is replaced only there. */
  shortRest?: Buffer
  /** The bytes of a long field that is kept apart. */
  longField?: Buffer
}

export interface PackOptions {
  /** A text or pairs of more bytes are kept apart. */
  maxInlineBytes: number
  /** In lists whose items are kept short, a text or pairs of more bytes are left to the item of `all`. */
  maxShortBytes: number
  /** Of how many bytes a chunk of what is kept apart has at most. */
  chunkBytes: number
  /** What the record takes in a response; stored where its long field is kept apart. */
  responseBytes: () => number
}

type Fields = Readonly<Record<string, unknown>>

/** Packs a record once for all of its lists. Throws a `RangeError` for a value that the bytes cannot hold. */
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
        // The ids stand in pairs with them.
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

/** The bytes of a packed record's item at this position. */
export function encodeItem(packed: PackedRecord, at: ItemPosition): Buffer {
  const { number, addresses, longField } = packed
  const shortRest = at.isShort ? packed.shortRest : undefined
  const isLeftOut = addresses.map(address => address === at.owner)
  const flags = isLeftOut.reduce(
    (bits, leftOut, index) => (leftOut ? bits | (FIRST_LEFT_OUT << index) : bits),
    longField ? IS_APART : shortRest ? IS_IN_ALL : 0,
  )
  const kept = addresses.filter((_, index) => !isLeftOut[index]).map(address => hexBytes(address, 20))
  const body = Buffer.concat([Buffer.of((VERSION << 4) | number, flags), ...kept, shortRest ?? packed.rest])
  return Buffer.concat([body, checksumBytes(checksumOf(body, at))])
}

/** A record as its item has it. */
export interface DecodedItem {
  /** Without its long field where that is not here. */
  record: EventRecord
  apart: LongField | undefined
}

/** A field that is not in the item: it stands in the event's item of `all`, or in chunks. */
type LongField = {
  /** What the whole record takes in a response. */
  responseBytes: number
} & ({ isInAll: true } | { isInAll: false; chunks: number; checksum: number })

/**
 * Reads the bytes of an item. Throws a `TypeError` for bytes that are not those which `encodeItem` makes for this
 * position: a flipped bit, a part that is missing, another item's data, a version that this program doesn't know.
 */
export function decodeItem(data: Buffer, at: ItemPosition): DecodedItem {
  const parts = decodePlace(at.place)
  if (!parts) throw new TypeError('Its place is not that of an event')
  const version = (data[0] ?? 0) >> 4
  if (version !== VERSION) throw new TypeError(unknownVersion(version))
  const end = data.length - CHECKSUM_BYTES
  if (end < 2 || data.readUInt32BE(end) !== checksumOf(data.subarray(0, end), at)) {
    throw new TypeError('Its bytes are damaged, or those of another item')
  }
  const number = (data[0] ?? 0) & 15
  const kind = KINDS_BY_NUMBER.get(number)
  if (!kind) throw new TypeError(`It is of a kind that this program does not know: ${number}`)
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
  let apart: LongField | undefined
  let next = 1
  for (const [name, form] of OWN_FIELDS[kind.event]) {
    // The names stand in the record's order, whenever their values come.
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
        if (flags & (IS_APART | IS_IN_ALL)) apart = readLongField(reader, flags)
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
  return { record: record as EventRecord, apart }
}

function readLongField(reader: ByteReader, flags: number): LongField {
  if (flags & IS_IN_ALL) return { isInAll: true, responseBytes: reader.varint() }
  const [chunks, responseBytes] = [reader.varint(), reader.varint()]
  return { isInAll: false, chunks, responseBytes, checksum: reader.uint32() }
}

interface AddressesToRead {
  flags: number
  count: number
  owner: string | undefined
}

function readAddresses(reader: ByteReader, { flags, count, owner }: AddressesToRead): string[] {
  const addresses: string[] = []
  for (let bit = FIRST_LEFT_OUT; addresses.length < count; bit <<= 1) {
    if ((flags & bit) === 0) addresses.push(reader.hex(20))
    else if (owner !== undefined) addresses.push(owner)
    else throw new TypeError('It lacks an address that its list does not have')
  }
  return addresses
}

/** The record with the long field that was kept apart. Throws a `TypeError` for bytes that are not that field's. */
export function withLongField({ record, apart }: DecodedItem, bytes: Buffer): EventRecord {
  if (!apart || apart.isInAll || crc32(bytes) !== apart.checksum)
    throw new TypeError('The bytes of its long field are damaged')
  const reader = new ByteReader(bytes)
  const whole: Record<string, unknown> = { ...record }
  const text = OWN_FIELDS[record.event].find(([, form]) => form === 'text')
  if (text) whole[text[0]] = reader.text()
  else readPairs(reader, whole)
  reader.expectEnd()
  return whole as unknown as EventRecord
}

/** A form without a branch above does not compile here. */
const unknownForm = (form: never) => new TypeError(`No bytes are known for the form ${form}`)

function pairBytes({ tokenIds, quantities }: Fields): Buffer {
  const ids = tokenIds as string[]
  const amounts = quantities as string[]
  if (ids.length !== amounts.length) throw new RangeError('Ids and quantities are not equally many')
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
    throw new RangeError(`${hex} is not ${length} bytes in hex`)
  return bytes
}

const unknownVersion = (version: number) =>
  `It is of version ${version} of the format, and this program reads version ${VERSION}: a ${version > VERSION ? 'newer' : 'older'} one has written it`
