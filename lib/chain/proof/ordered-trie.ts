import { type ByteArray, type Hex, keccak256, toRlp } from 'viem'

type Rlp = ByteArray | readonly Rlp[]

interface Entry {
  /** The key as a list of nibbles. */
  path: readonly number[]
  value: ByteArray
}

const EMPTY = new Uint8Array()
const CHILDREN = 16
const HASH_BYTES = 32
/**
 * RLP encodes a positive number below this limit as a single byte with the number's value, but encodes 0 as the byte
 * 0x80. The key of index 0 therefore sorts after the keys of these numbers.
 */
const SINGLE_BYTES = 128

/** The root (Yellow Paper, 4.3.2 and appendix D) also commits to the number of values. Keys are RLP-encoded indexes. */
export function orderedTrieRoot(values: readonly ByteArray[]): Hex {
  if (values.length === 0) return keccak256(encode(EMPTY))
  const entries = inOrderOfKeys(values.length).map(index => ({
    path: pathOf(index),
    value: values[index] ?? EMPTY,
  }))
  return keccak256(encode(nodeOf(entries, 0)))
}

function inOrderOfKeys(count: number): number[] {
  const rising = Array.from({ length: count }, (_, index) => index)
  return [...rising.slice(1, SINGLE_BYTES), 0, ...rising.slice(SINGLE_BYTES)]
}

function pathOf(index: number): number[] {
  const digits = index === 0 ? '' : index.toString(16)
  const key = encode(Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex'))
  return [...key].flatMap(byte => [byte >> 4, byte & 0xf])
}

/** Builds the node of all entries whose paths share the first `depth` nibbles. */
function nodeOf(entries: readonly Entry[], depth: number): readonly Rlp[] {
  const [first, ...others] = entries
  const last = entries.at(-1)
  if (!first || !last) return []
  if (others.length === 0) return [packPath(first.path.slice(depth), { isLeaf: true }), first.value]
  const fork = forkOf(first, last, depth)
  if (fork > depth) {
    return [packPath(first.path.slice(depth, fork), { isLeaf: false }), referenceTo(nodeOf(entries, fork))]
  }
  const children = Array.from({ length: CHILDREN }, (_, digit) => {
    const below = entries.filter(({ path }) => path[depth] === digit)
    return below.length === 0 ? EMPTY : referenceTo(nodeOf(below, depth + 1))
  })
  // No key is a prefix of another key, so a branch node has no value.
  return [...children, EMPTY]
}

/** Entries are sorted, so comparing the first and the last entry shows how many nibbles all entries share. */
function forkOf(first: Entry, last: Entry, depth: number): number {
  let fork = depth
  while (first.path[fork] === last.path[fork]) fork += 1
  return fork
}

/** Returns what a parent node contains for a child: the child itself if it is short, and otherwise its hash. */
function referenceTo(node: readonly Rlp[]): Rlp {
  const encoded = encode(node)
  return encoded.length < HASH_BYTES ? node : keccak256(encoded, 'bytes')
}

/** Encodes a path in hex-prefix encoding (Yellow Paper, appendix C). */
function packPath(path: readonly number[], { isLeaf }: { isLeaf: boolean }): ByteArray {
  const flag = isLeaf ? 2 : 0
  const digits = path.length % 2 === 0 ? [flag, 0, ...path] : [flag + 1, ...path]
  return Buffer.from(digits.map(digit => digit.toString(16)).join(''), 'hex')
}

const encode = (value: Rlp): ByteArray => toRlp(value, 'bytes')
