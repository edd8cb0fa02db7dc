import { type EventList, listPath, listsOf } from '../../../lib/events/lists.ts'
import { placeOf } from '../../../lib/events/place.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { itemBytes } from '../../../lib/inspect/item-cost.ts'
import type { Query } from '../../../lib/query/query.ts'
import { itemsOf } from '../../../lib/store/format/event-items.ts'

/** A copy of the stored lists in memory, which shows what a read of the table would cost. */
export type KnownLists = ReturnType<typeof knownLists>

export function knownLists(records: EventRecord[]) {
  const inOrder = records
    .map(record => ({ place: placeOf(record), record }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
  const named = inOrder.flatMap(({ record }) =>
    [...listsOf(record).map(listPath), record.transactionHash, String(record.blockNumber)].map(name => ({
      name,
      record,
    })),
  )
  const lists = Map.groupBy(named, ({ name }) => name)
  return {
    /** The records of a list over all networks, oldest first. */
    read: (list: EventList) => (lists.get(listName(list)) ?? []).map(({ record }) => record),
    /** The bytes of the record's item in the list of its token. The items in lists of token ids may be shorter. */
    bytes: (record: EventRecord) => itemBytes(itemsOf(record).entries[2] ?? {}),
  }
}

function listName(list: EventList): string {
  if (list.of === 'transaction') return list.hash
  return list.of === 'block' ? String(list.blockNumber) : listPath(list)
}

/** DynamoDB's charge for an eventually consistent read: half a unit for each 4 KB or part of it. */
export const readUnits = (bytes: number) => Math.max(0.5, Math.ceil(bytes / 4096) * 0.5)

interface Scan {
  list: EventList
  isMatch: (record: EventRecord) => boolean
  order: Query['order']
  want: number
  skip: number
}

/**
 * The read units for reading a list in time order and filtering its rows, until enough matches are found. To sort
 * several networks' rows in block order, the whole list must be read.
 */
export function scanUnits({ list, isMatch, order, want, skip }: Scan, lists: KnownLists): number {
  const rows = lists.read(list)
  if (order.by === 'block') return readUnits(rows.reduce((sum, row) => sum + lists.bytes(row), 0))
  let bytes = 0
  let matches = 0
  for (const row of order.direction === 'asc' ? rows : rows.toReversed()) {
    const isPast = matches >= skip
    if (isMatch(row)) matches += 1
    if (isPast) bytes += lists.bytes(row)
    if (matches >= skip + want) break
  }
  return readUnits(bytes)
}
