import { crc32 } from 'node:zlib'
import type { Item } from '../../../lib/store/item.ts'
import { DATA, LIST_KEY, PLACE_KEY } from '../../../lib/store/keys.ts'

/** An item as it should be, made into one that is not. */
export type ItemChange = (item: Item) => Item

export const bytesOf = ({ [DATA]: data }: Item): Buffer => Buffer.from(data as Uint8Array)

/** Without one of its attributes. */
export const without =
  (name: string): ItemChange =>
  item => {
    const { [name]: _, ...rest } = item
    return rest
  }

/** With other bytes. */
export const changed =
  (change: (bytes: Buffer) => Uint8Array): ItemChange =>
  item => ({ ...item, [DATA]: change(bytesOf(item)) })

/** With another bit in the byte at this index, which counts from the end where it is below 0. */
export const flipped = (index: number, bit = 0): ItemChange =>
  changed(bytes => {
    const at = index < 0 ? bytes.length + index : index
    bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
    return bytes
  })

export const CHECKSUM_BYTES = 4

/** With other bytes before a checksum that is right, as a program with a fault of its own might write it. */
export const rewritten =
  (change: (body: Buffer) => Buffer): ItemChange =>
  item => {
    const [path] = String(item[LIST_KEY]).split('@')
    const body = change(bytesOf(item).subarray(0, -CHECKSUM_BYTES))
    const checksum = Buffer.alloc(CHECKSUM_BYTES)
    checksum.writeUInt32BE(crc32(Buffer.concat([Buffer.from(`${path} ${item[PLACE_KEY]}`), body])))
    return { ...item, [DATA]: Buffer.concat([body, checksum]) }
  }

/** Version and kind, in the first byte. */
export const withFirstByte = (value: number): ItemChange =>
  rewritten(body => Buffer.concat([Buffer.of(value), body.subarray(1)]))
