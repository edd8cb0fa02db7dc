import type { Item } from 'dynalite/db'
import sortedBtree from 'sorted-btree'

const BTree = sortedBtree.default
export type ItemTree = InstanceType<typeof BTree<string, Item>>

/** Changes that are older than the last this many can't be taken back. */
const MAX_KEPT = 1000

interface Change {
  key: string
  before: Item | undefined
  at: number
}

/** Items in the order of their keys, which remember their last changes, so that an earlier state can be read. */
export interface SortedItems {
  get(key: string): Item | undefined
  put(key: string, item: Item): void
  remove(key: string): void
  /** How many of the last changes happened after this moment, in milliseconds. Only the last 1,000 are known. */
  changesSince(moment: number): number
  /** The items before the last `changes` changes. They must not be changed. */
  before(changes: number): ItemTree
  /** A copy that shares its items until one of both changes, so it costs next to nothing. It remembers no changes. */
  copy(): SortedItems
}

/** `now` tells the moment of each change, in milliseconds. */
export function createSortedItems(
  now: () => number,
  items: ItemTree = new BTree(undefined, compare),
): SortedItems {
  let changes: Change[] = []

  function remember(key: string) {
    changes.push({ key, before: items.get(key), at: now() })
    if (changes.length >= 2 * MAX_KEPT) changes = changes.slice(-MAX_KEPT)
  }

  return {
    get: key => items.get(key),
    put(key, item) {
      remember(key)
      items.set(key, item)
    },
    remove(key) {
      if (!items.has(key)) return
      remember(key)
      items.delete(key)
    },
    changesSince: moment => changes.slice(-MAX_KEPT).filter(({ at }) => at > moment).length,
    before(count) {
      if (count === 0) return items
      const earlier = items.clone()
      for (const { key, before } of changes.slice(-count).reverse()) {
        if (before) earlier.set(key, before)
        else earlier.delete(key)
      }
      return earlier
    },
    copy: () => createSortedItems(now, items.clone()),
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
