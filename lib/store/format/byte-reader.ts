/** Encodes and decodes strings and numbers. `record-codec.ts` describes the format of a record. */

/** The size of a `uint256`. */
const MAX_NUMBER_BYTES = 32

/**
 * Encodes a number as its length (one byte) and its big-endian bytes. Throws a `RangeError` if the number is out of
 * range.
 */
export function numberBytes(decimal: string): Buffer {
  const value = BigInt(decimal)
  if (value < 0n) throw new RangeError(`${decimal} is negative`)
  if (value < 128n) return value === 0n ? Buffer.of(0) : Buffer.of(1, Number(value))
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  if (bytes.length > MAX_NUMBER_BYTES) throw new RangeError(`${decimal} has more than 256 bits`)
  return Buffer.concat([Buffer.of(bytes.length), bytes])
}

/** Encodes a string as its length in bytes (a varint), followed by its bytes in UTF-8. */
export function textBytes(text: string): Buffer {
  if (!text.isWellFormed()) throw new RangeError('A string with a lone surrogate cannot be encoded in UTF-8')
  const bytes = Buffer.from(text, 'utf8')
  return Buffer.concat([varintBytes(bytes.length), bytes])
}

/** Encodes an integer of at most 53 bits, lowest seven bits first. Every byte except the last has its high bit set. */
export function varintBytes(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

/** Cuts bytes into pieces of at most `size` bytes. Returns an empty array if there are no bytes. */
export const cutBytes = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )

/** Every number of at most this many bytes is a safe integer in JavaScript. */
const SAFE_BYTES = 6
const MAX_VARINT_BYTES = 8

/** Decodes a sequence of values that the functions above encoded. Throws a `TypeError` if the bytes end too soon. */
export class ByteReader {
  readonly #bytes: Buffer
  readonly #end: number
  #at: number

  constructor(bytes: Buffer, { start = 0, end = bytes.length } = {}) {
    this.#bytes = bytes
    this.#at = start
    this.#end = end
  }

  varint(): number {
    let value = 0
    for (let index = 0, factor = 1; index < MAX_VARINT_BYTES; index += 1, factor *= 128) {
      const byte = this.#byte()
      value += (byte & 127) * factor
      if (byte < 128) return value
    }
    throw new TypeError('A length in the item is too large')
  }

  uint32(): number {
    return this.#bytes.readUInt32BE(this.#take(4))
  }

  /** Returns the next `length` bytes as lower-case hex with `0x`. */
  hex(length: number): string {
    const from = this.#take(length)
    return `0x${this.#bytes.toString('hex', from, from + length)}`
  }

  number(): string {
    const length = this.#byte()
    if (length > MAX_NUMBER_BYTES) throw new TypeError('The item contains a number of more than 256 bits')
    const from = this.#take(length)
    if (length === 0) return '0'
    if (length <= SAFE_BYTES) return String(this.#bytes.readUIntBE(from, length))
    return String(BigInt(`0x${this.#bytes.toString('hex', from, from + length)}`))
  }

  text(): string {
    const length = this.varint()
    const from = this.#take(length)
    return this.#bytes.toString('utf8', from, from + length)
  }

  /** Throws a `TypeError` if any bytes are left. */
  expectEnd(): void {
    if (this.#at !== this.#end) throw new TypeError('The item has bytes after its last value')
  }

  #byte(): number {
    return this.#bytes[this.#take(1)] ?? 0
  }

  /** Returns the offset of the next `length` bytes and advances past them. */
  #take(length: number): number {
    const from = this.#at
    this.#at += length
    if (this.#at > this.#end) throw new TypeError('The item ends too soon')
    return from
  }
}
