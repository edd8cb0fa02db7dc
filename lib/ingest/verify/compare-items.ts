import { hash } from 'node:crypto'
import type { Item } from '../../store/item.ts'
import { LIST_KEY, PLACE_KEY } from '../../store/keys.ts'

/** Differences are found by bucket first, so that memory stays flat however large the table is. */
const BUCKETS = 4096

/**
 * Compares two sets of items of any size in little memory: the items of each bucket are summed up as
 * digests, which add up to the same on both sides, in whatever order they come, when the sets are equal.
 */
export function createItemSums() {
  const sums = new BigUint64Array(BUCKETS)
  const change = (item: Item, sign: 1n | -1n) => {
    const bucket = bucketOf(item)
    sums[bucket] = BigInt.asUintN(64, (sums[bucket] ?? 0n) + sign * digestOf(item))
  }
  return {
    expect: (item: Item) => change(item, 1n),
    find: (item: Item) => change(item, -1n),
    /** The buckets whose two sides differ. */
    unequal: (): Set<number> => new Set([...sums.keys()].filter(bucket => sums[bucket] !== 0n)),
  }
}

/** All items of an event are in one bucket, and all chunks of one. */
export function bucketOf(item: Item): number {
  const list = String(item[LIST_KEY])
  return (
    hash('sha1', list.startsWith('chunks#') ? list : String(item[PLACE_KEY]), 'buffer').readUInt16BE() %
    BUCKETS
  )
}

const digestOf = (item: Item): bigint => hash('sha1', contentOf(item), 'buffer').readBigUInt64BE()

/** An item as a text that is the same for equal items. */
const contentOf = (item: Item): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(item)
        .map(([name, value]) => [name, value instanceof Uint8Array ? base64(value) : value] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  )

const base64 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')

/** Tells in words how the two sides of some buckets differ. */
export function createItemDiff(report: (problem: ItemProblem) => void) {
  const expected = new Map<string, string>()
  const found = new Map<string, string>()
  const keyOf = (item: Item) => `${item[LIST_KEY]}\n${item[PLACE_KEY]}`
  return {
    expect: (item: Item) => void expected.set(keyOf(item), contentOf(item)),
    find: (item: Item) => void found.set(keyOf(item), contentOf(item)),
    finish() {
      const tell = (key: string, message: string) => {
        const [list = '', place = ''] = key.split('\n')
        report({ list, place, message })
      }
      for (const [key, content] of expected) {
        const stored = found.get(key)
        if (stored === undefined) tell(key, 'is missing')
        else if (stored !== content) tell(key, `should be ${content}, and is ${stored}`)
      }
      for (const key of found.keys()) {
        if (!expected.has(key)) tell(key, 'belongs to no event in the list of all')
      }
    },
  }
}

export interface ItemProblem {
  list: string
  place: string
  message: string
}
