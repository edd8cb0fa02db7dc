import { type Hex, keccak256 } from 'viem'

const BLOOM_BYTES = 256
/** The offsets of the three byte pairs in a value's hash. Each pair selects one bit of the Bloom filter. */
const BIT_PAIRS = [0, 2, 4]

/**
 * Finds the values that a block's logs may contain (Yellow Paper, 4.3.1). Can find too many values, but never too few.
 */
export function createBloomSieve<T extends string>(values: readonly T[]): (logsBloom: string) => T[] {
  const known = values.map(value => ({ value, bits: bitsOf(value) }))
  return logsBloom => {
    const bloom = Buffer.from(logsBloom.slice(2), 'hex')
    const isSet = ({ byte, mask }: Bit) => ((bloom[byte] ?? 0) & mask) !== 0
    return known.filter(({ bits }) => bits.every(isSet)).map(({ value }) => value)
  }
}

interface Bit {
  byte: number
  mask: number
}

function bitsOf(value: string): Bit[] {
  const hash = keccak256(value as Hex, 'bytes')
  return BIT_PAIRS.map(at => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 0x7ff
    return { byte: BLOOM_BYTES - 1 - (bit >> 3), mask: 1 << (bit & 7) }
  })
}
