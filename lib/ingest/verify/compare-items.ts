import { hash } from 'node:crypto'
import { cutBatches } from '../../store/event-table.ts'
import type { Item } from '../../store/format/event-items.ts'
import { LIST_KEY, PLACE_KEY } from '../../store/format/keys.ts'

/**
 * The number of buckets into which items are divided. The first pass keeps one sum per bucket, so its memory use does
 * not grow with the table.
 */
const BUCKETS = 4096
/** The number of differing buckets whose items are in memory at the same time. */
const BUCKETS_AT_ONCE = 64

/**
 * Compares any number of expected and found items in constant memory, by adding up the digests of the items in each
 * bucket. Equal sets of items have equal sums, even if the items arrive in different orders.
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
    unequal(): ReadonlySet<number>[] {
      const unequal = [...sums.keys()].filter(bucket => sums[bucket] !== 0n)
      return cutBatches(unequal, BUCKETS_AT_ONCE).map(group => new Set(group))
    },
  }
}

/**
 * All list entries of an event share one bucket. All chunks of the event also share one bucket, usually a different
 * bucket.
 */
export function bucketOf(item: Item): number {
  const list = String(item[LIST_KEY])
  return (
    hash('sha1', list.startsWith('chunks#') ? list : String(item[PLACE_KEY]), 'buffer').readUInt16BE() %
    BUCKETS
  )
}

const digestOf = (item: Item): bigint => hash('sha1', contentOf(item), 'buffer').readBigUInt64BE()

/** Equal items have equal strings. */
export const contentOf = (item: Item): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(item)
        .map(([name, value]) => [name, value instanceof Uint8Array ? base64(value) : value] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  )

const base64 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')

export function createItemDiff(report: (problem: ItemProblem) => void) {
  const expected = new Map<string, string>()
  const found = new Map<string, string>()
  const keyOf = (item: Item) => `${item[LIST_KEY]}\n${item[PLACE_KEY]}`
  return {
    expect: (item: Item) => void expected.set(keyOf(item), contentOf(item)),
    find: (item: Item) => void found.set(keyOf(item), contentOf(item)),
    finish() {
      const tell = (key: string, problem: Pick<ItemProblem, 'kind' | 'message'>) => {
        const [list = '', place = ''] = key.split('\n')
        report({ list, place, ...problem })
      }
      for (const [key, content] of expected) {
        const stored = found.get(key)
        if (stored === undefined) tell(key, { kind: 'missing', message: 'the item is missing' })
        else if (stored !== content) {
          tell(key, { kind: 'different', message: `the item must be ${content}, but is ${stored}` })
        }
      }
      for (const key of found.keys()) {
        if (!expected.has(key)) {
          tell(key, { kind: 'extra', message: 'the item belongs to no event in the list of all events' })
        }
      }
    },
  }
}

export interface ItemProblem {
  list: string
  place: string
  /** How the stored item differs from the item that an event requires. Undefined for all other problems. */
  kind?: 'missing' | 'different' | 'extra'
  message: string
}
