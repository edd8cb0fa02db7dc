import type { Item } from 'dynalite/db'
import sortedBtree from 'sorted-btree'

const BTree = sortedBtree.default
export type ItemTree = InstanceType<typeof BTree<string, Item>>

/** This many of the latest changes can be undone when an earlier state is read. */
const MAX_KEPT = 1000

interface Change {
  key: string
  before: Item | undefined
  at: number
}

/** Items in the order of their keys. The latest changes are remembered, so that an earlier state can be read. */
export interface SortedItems {
  get(key: string): Item | undefined
  put(key: string, item: Item): void
  remove(key: string): void
  /** Counts how many of the latest 1,000 changes were made after `moment` (a time in milliseconds). */
  changesSince(moment: number): number
  /** The items as they were before the latest `changes` changes. Callers must not modify the result. */
  before(changes: number): ItemTree
  /** Omits the remembered changes. A copy is cheap, because it shares unchanged data with the original. */
  copy(): SortedItems
}

/** `now` returns milliseconds. */
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
