import type { Item, Table } from 'dynalite/db'
import { db } from './dynalite-internals.ts'
import { createSortedItems, type SortedItems } from './sorted-items.ts'

export interface TableDescription extends Table {
  TableName: string
  GlobalSecondaryIndexes?: { IndexName: string; KeySchema: Table['KeySchema'] }[]
}

/** The change that one write makes to one index. */
export interface IndexChange {
  indexName: string
  itemKey: string
  /** The time of the write, in milliseconds. */
  at: number
  removed: string | undefined
  put: { key: string; item: Item } | undefined
}

export type MemoryTable = ReturnType<typeof createMemoryTable>

/** Immutable. */
export interface TableCopy {
  description: TableDescription
  items: SortedItems
  indexes: ReadonlyMap<string, SortedItems>
}

export function createMemoryTable(copy: TableCopy, now: () => number) {
  const { description } = copy
  const items = copy.items.copy()
  const indexes = new Map([...copy.indexes].map(([name, index]) => [name, index.copy()]))
  let held: IndexChange[] = []

  return {
    description,
    items,
    indexes,
    /** The changes that their indexes have not received yet, oldest first. */
    get held(): readonly IndexChange[] {
      return held
    },
    /** Holds the change if `isHeld` is set or an earlier change to the item is held. */
    updateIndexes(before: Item | undefined, after: Item | undefined, isHeld: boolean) {
      for (const change of indexChanges(before, after)) {
        if (isHeld || held.some(other => isOfSameItem(other, change))) held.push(change)
        else apply(change, indexes)
      }
    },
    /** Earlier held changes to the same item in the same index are applied first. */
    release(change: IndexChange) {
      const last = held.indexOf(change)
      const isReleased = (other: IndexChange, at: number) => at <= last && isOfSameItem(other, change)
      for (const released of held.filter(isReleased)) apply(released, indexes)
      held = held.filter((other, at) => !isReleased(other, at))
    },
    copy(): TableCopy {
      const complete = new Map([...indexes].map(([name, index]) => [name, index.copy()]))
      for (const change of held) apply(change, complete)
      return { description, items: items.copy(), indexes: complete }
    },
  }

  function indexChanges(before: Item | undefined, after: Item | undefined): IndexChange[] {
    const itemKey = db.createKey(after ?? before ?? {}, description)
    return (description.GlobalSecondaryIndexes ?? []).flatMap(({ IndexName: indexName, KeySchema }) => {
      /** An index omits an item without one of the index's key attributes. */
      const keyOf = (item: Item | undefined) =>
        item && KeySchema.every(({ AttributeName }) => AttributeName in item)
          ? db.createIndexKey(item, description, KeySchema)
          : undefined
      const [keyBefore, keyAfter] = [keyOf(before), keyOf(after)]
      if (keyBefore === undefined && keyAfter === undefined) return []
      return {
        ...{ indexName, itemKey, at: now() },
        removed: keyBefore === keyAfter ? undefined : keyBefore,
        put: after && keyAfter !== undefined ? { key: keyAfter, item: after } : undefined,
      }
    })
  }
}

export function emptyTable(description: TableDescription, now: () => number): TableCopy {
  const names = (description.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => IndexName)
  return {
    description,
    items: createSortedItems(now),
    indexes: new Map(names.map(name => [name, createSortedItems(now)])),
  }
}

const isOfSameItem = (a: IndexChange, b: IndexChange) =>
  a.itemKey === b.itemKey && a.indexName === b.indexName

function apply({ indexName, removed, put }: IndexChange, indexes: ReadonlyMap<string, SortedItems>) {
  const index = indexes.get(indexName)
  if (!index) throw new Error(`The table has no index ${indexName}`)
  if (removed !== undefined) index.remove(removed)
  if (put) index.put(put.key, put.item)
}
