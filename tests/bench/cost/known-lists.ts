import { type EventList, listPath, listsOf } from '../../../lib/events/lists.ts'
import { placeOf } from '../../../lib/events/place.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import type { Query } from '../../../lib/query/query.ts'
import { itemsOf } from '../../../lib/store/item.ts'
import { itemBytes } from '../../../lib/store/item-bytes.ts'

/** What the stored lists hold, for reckoning what reading them costs without reading them. */
export interface KnownLists {
  /** The records of a list over all networks, in place order. */
  read(list: EventList): EventRecord[]
  /** The size of an event's item in its lists, in bytes; they differ by some bytes of their keys. */
  bytes(record: EventRecord): number
}

export function knownLists(records: EventRecord[]): KnownLists {
  const lists = new Map<string, { place: string; record: EventRecord }[]>()
  const add = (name: string, entry: { place: string; record: EventRecord }) => {
    const list = lists.get(name)
    if (list) list.push(entry)
    else lists.set(name, [entry])
  }
  for (const record of records) {
    const entry = { place: placeOf(record), record }
    for (const list of listsOf(record)) add(listPath(list), entry)
    add(record.transactionHash, entry)
    add(String(record.blockNumber), entry)
  }
  for (const list of lists.values()) list.sort((a, b) => (a.place < b.place ? -1 : 1))
  return {
    read: list => (lists.get(listName(list)) ?? []).map(({ record }) => record),
    // That of its token: those of token ids may be shorter.
    bytes: record => itemBytes(itemsOf(record).entries[2] ?? {}),
  }
}

function listName(list: EventList): string {
  if (list.of === 'transaction') return list.hash
  return list.of === 'block' ? String(list.blockNumber) : listPath(list)
}

/** DynamoDB's eventually consistent read: half a unit for every 4 KB, at least one half. */
export const readUnits = (bytes: number) => Math.max(0.5, Math.ceil(bytes / 4096) * 0.5)

interface Scan {
  list: EventList
  isMatch: (record: EventRecord) => boolean
  order: Query['order']
  /** Matches to find. */
  want: number
  /** Matches to go past before that. */
  skip: number
}

/**
 * What it takes to find the matches of a list by reading it in time order and filtering; by block
 * order over several networks there is no way but to read all of it. Read units.
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
