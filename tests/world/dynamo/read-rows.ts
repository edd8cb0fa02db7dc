import type { Item, Range } from 'dynalite/db'
import type { RowsRead } from '../../../infra/local/engine/reading-result.ts'
import { db } from './dynalite-internals.ts'
import type { ItemTree } from './sorted-items.ts'

/** A Query or Scan ends a page at this size, as in DynamoDB. */
const MAX_PAGE_BYTES = 1024 * 1024

export function readRows(
  tree: ItemTree,
  {
    range,
    limit = Number.POSITIVE_INFINITY,
    sortKey,
  }: { range: Range; limit: number | undefined; sortKey: string | undefined },
): RowsRead {
  const items: Item[] = []
  let [bytes, capacityBytes] = [0, 0]
  for (const item of itemsIn(tree, range)) {
    items.push(item)
    const size = sizeOf(item, sortKey)
    capacityBytes += size.capacityBytes
    bytes += size.bytes
    if (bytes >= MAX_PAGE_BYTES || items.length >= limit) return { items, capacityBytes, isCut: true }
  }
  return { items, capacityBytes, isCut: false }
}

interface Size {
  capacityBytes: number
  /** The bytes that count towards the limit of a page. */
  bytes: number
}

/** The sizes are cached, because stored items never change and most are read many times. */
const sizes = new WeakMap<Item, Size>()

function sizeOf(item: Item, sortKey: string | undefined): Size {
  const known = sizes.get(item)
  if (known) return known
  const size = { capacityBytes: db.itemSize(item), bytes: db.itemSize(item, true, true, sortKey) }
  sizes.set(item, size)
  return size
}

function* itemsIn(tree: ItemTree, { gt, gte, lt, lte, reverse }: Range): Generator<Item> {
  const pairs = reverse ? tree.entriesReversed(lte ?? lt) : tree.entries(gt ?? gte)
  for (const [key, item] of pairs) {
    const isBelow = (gt !== undefined && key <= gt) || (gte !== undefined && key < gte)
    const isAbove = (lt !== undefined && key >= lt) || (lte !== undefined && key > lte)
    if (reverse ? isBelow : isAbove) return
    if (!isBelow && !isAbove) yield item
  }
}
