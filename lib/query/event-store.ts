import type { EventList } from '../events/lists.ts'
import type { Network } from '../events/networks.ts'
import type { Place } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import type { Condition } from './condition.ts'
import type { Direction } from './question.ts'

/** What the query side asks of a store of events. Every list is kept in place order. */
export interface EventStore {
  /** Reads on in one list. One call is one request to the store, so it may stop short: see `ListPage`. */
  readList(reading: ListReading): Promise<ListPage>
  /** The records of rows that `readList` returned; rows whose event was removed meanwhile are left out. */
  loadRecords(rows: EventRow[]): Promise<EventRecord[]>
}

export interface ListReading {
  list: EventList
  /** Only this network's part of the list; lists of `all` are always read by network. */
  network?: Network
  /** Rows that do not meet every condition are examined and left out. */
  where: Condition[]
  direction: Direction
  /** Start behind this place (in the direction of reading); it need not be an event's place. */
  after?: Place
  /** Do not read past this place. */
  until?: Place
  /** At most so many rows are examined, whether they match or not. */
  limit: number
  /** `places` transfers where the matching events stand, `count` only how many they are. */
  select: 'rows' | 'places' | 'count'
}

export interface ListPage {
  /** The matching rows in reading order; empty when only counted. */
  rows: EventRow[]
  /** How many matched. */
  count: number
  /** The list is known up to and including this place; undefined when the reading came to its end. */
  examinedThrough: Place | undefined
  /** What the call cost: rows examined and DynamoDB read units. */
  examined: number
  readUnits: number
}

/** A stored event of which only the place is looked at until its record is needed. */
export interface EventRow {
  place: Place
  /** The size of its record as JSON where that is large, in bytes. */
  bytes?: number
  /** The store's own. */
  item: unknown
}
