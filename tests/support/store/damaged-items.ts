import { crc32 } from 'node:zlib'
import type { Item } from '../../../lib/store/format/event-items.ts'
import { DATA, LIST_KEY, PLACE_KEY } from '../../../lib/store/format/keys.ts'

export type ItemChange = (item: Item) => Item

export const bytesOf = ({ [DATA]: data }: Item): Buffer => Buffer.from(data as Uint8Array)

export const without =
  (name: string): ItemChange =>
  item => {
    const { [name]: _, ...rest } = item
    return rest
  }

const changed =
  (change: (bytes: Buffer) => Uint8Array): ItemChange =>
  item => ({ ...item, [DATA]: change(bytesOf(item)) })

/** Flips a bit of the byte at this index. A negative index counts from the end. */
export const flipped = (index: number, bit = 0): ItemChange =>
  changed(bytes => {
    const at = index < 0 ? bytes.length + index : index
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
    return bytes
  })

export const CHECKSUM_BYTES = 4

/** Changes the body and writes a valid checksum, as a faulty program would. */
export const rewritten =
  (change: (body: Buffer) => Buffer): ItemChange =>
  item => {
    const [path] = String(item[LIST_KEY]).split('@')
    const body = change(bytesOf(item).subarray(0, -CHECKSUM_BYTES))
    const checksum = Buffer.alloc(CHECKSUM_BYTES)
    checksum.writeUInt32BE(crc32(Buffer.concat([Buffer.from(`${path} ${item[PLACE_KEY]}`), body])))
    return { ...item, [DATA]: Buffer.concat([body, checksum]) }
  }

/** Changes the first byte, which encodes the version and the kind, and writes a valid checksum. */
export const withFirstByte = (value: number): ItemChange =>
  rewritten(body => Buffer.concat([Buffer.of(value), body.subarray(1)]))
