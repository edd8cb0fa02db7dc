import { type Hex, keccak256 } from 'viem'

const BLOOM_BYTES = 256
/** Three pairs of bytes of a value's hash name one bit each. */
const BIT_PAIRS = [0, 2, 4]

/**
 * A test whether a block may hold logs with one of these topics, by the Bloom filter in its header
 * (Yellow Paper, 4.3.1). It may say yes of a block that has none, but never no of one that has.
 */
export function createBloomTest(topics: readonly Hex[]): (logsBloom: string) => boolean {
  const bitsOfTopics = topics.map(bitsOf)
  return logsBloom => {
    const bloom = Buffer.from(logsBloom.slice(2), 'hex')
    return bitsOfTopics.some(bits => bits.every(({ byte, mask }) => ((bloom[byte] ?? 0) & mask) !== 0))
  }
}

function bitsOf(topic: Hex) {
  const hash = keccak256(topic, 'bytes')
  return BIT_PAIRS.map(at => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 0x7ff
    return { byte: BLOOM_BYTES - 1 - (bit >> 3), mask: 1 << (bit & 7) }
  })
}
