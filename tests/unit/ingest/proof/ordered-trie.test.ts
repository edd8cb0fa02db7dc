import { createMPT } from '@ethereumjs/mpt'
import { bytesToHex, toRlp } from 'viem'
import { orderedTrieRoot } from '../../../../lib/chain/proof/ordered-trie.ts'

/** Another implementation computes the root. */
async function rootByMpt(values: readonly Uint8Array[]): Promise<string> {
  const trie = await createMPT()
  for (const [index, value] of values.entries()) {
    await trie.put(toRlp(index === 0 ? '0x' : keyOf(index), 'bytes'), value)
  }
  return bytesToHex(trie.root())
}

function keyOf(index: number): `0x${string}` {
  const digits = index.toString(16)
  return `0x${digits.padStart(digits.length + (digits.length % 2), '0')}`
}

test.each([0, 1, 2, 3, 15, 16, 17, 127, 128, 129, 255, 256, 257, 1000])(
  'has the root of %i values that another implementation has',
  async count => {
    const lengthOf = (index: number) => 3 + ((index * 7) % 60)
    const values = Array.from({ length: count }, (_, index) =>
      new Uint8Array(lengthOf(index))
        .fill(1)
        .fill(index & 0xff, 1, 2)
        .fill(index >> 8, 2),
    )

    expect(orderedTrieRoot(values)).toBe(await rootByMpt(values))
  },
)
