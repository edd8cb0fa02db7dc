import type { Item, Table } from 'dynalite/db'
import { db } from './dynalite-internals.ts'
import { createSortedItems, type SortedItems } from './sorted-items.ts'

export interface TableDescription extends Table {
  TableName: string
  GlobalSecondaryIndexes?: { IndexName: string; KeySchema: Table['KeySchema'] }[]
}

export interface MemoryTable {
  description: TableDescription
  items: SortedItems
  indexes: ReadonlyMap<string, SortedItems>
}

export function emptyTable(description: TableDescription, now: () => number): MemoryTable {
  const names = (description.GlobalSecondaryIndexes ?? []).map(({ IndexName }) => IndexName)
  return {
    description,
    items: createSortedItems(now),
    indexes: new Map(names.map(name => [name, createSortedItems(now)])),
  }
}

export const copyOf = ({ description, items, indexes }: MemoryTable): MemoryTable => ({
  description,
  items: items.copy(),
  indexes: new Map([...indexes].map(([name, index]) => [name, index.copy()])),
})

export function updateIndexes(
  { description, indexes }: MemoryTable,
  before: Item | undefined,
  after: Item | undefined,
): void {
  for (const { IndexName, KeySchema } of description.GlobalSecondaryIndexes ?? []) {
    /** An index omits an item without one of the index's key attributes. */
    const keyOf = (item: Item | undefined) =>
      item && KeySchema.every(({ AttributeName }) => AttributeName in item)
        ? db.createIndexKey(item, description, KeySchema)
        : undefined
    const [keyBefore, keyAfter] = [keyOf(before), keyOf(after)]
    const index = indexes.get(IndexName)
    if (keyBefore !== undefined && keyBefore !== keyAfter) index?.remove(keyBefore)
    if (after && keyAfter !== undefined) index?.put(keyAfter, after)
  }
}
