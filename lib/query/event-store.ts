import type { EventList } from '../events/lists.ts'
import type { Network } from '../events/networks.ts'
import type { Place } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import type { Condition } from './condition.ts'
import type { Checkpoints } from './indexed-through.ts'
import type { Direction } from './query.ts'
import type { StoreCost } from './store-cost.ts'

/** What the query side asks of a store of events. Every list is kept in place order. */
export interface EventStore {
  /** Reads on in one list. One call is one request to the store, so it may stop short: see `ListPage`. */
  readList(reading: ListReading, options?: CallOptions): Promise<ListPage>
  /**
   * The records of rows that `readList` returned, in the same order; a large record's long fields are
   * fetched here. Rows whose event was removed meanwhile are left out.
   */
  loadRecords(rows: EventRow[], options?: CallOptions): Promise<Records>
  /** The time of the nearest block, on one side of a block or that one itself, whose time is noted; undefined where none is. */
  readBlockTime(asked: BlockTimeAsked, options?: CallOptions): Promise<StoreCost & BlockTime>
  /** How far networks are indexed, as it is stored at this moment, and not a moment ago. */
  readCheckpoints(options?: CallOptions): Promise<StoreCost & Checkpoints>
}

export interface BlockTimeAsked {
  network: Network
  blockNumber: number
  side: 'before' | 'behind'
}

interface BlockTime {
  /** Unix seconds. */
  seconds: number | undefined
}

export interface CallOptions {
  /** Breaks the call off, which then throws. */
  abortSignal?: AbortSignal
}

interface Records extends StoreCost {
  records: EventRecord[]
}

export interface ListReading {
  list: EventList
  /** Only this network's part of the list; lists of `all` are always read by network. */
  network?: Network
  /** Rows that do not meet every condition are examined and left out; none may be given where rows are counted. */
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
  /** Answer with what is stored at this moment, at twice the price; of a network's part of a list only. */
  isConsistent?: boolean
}

export interface ListPage extends StoreCost {
  /** The matching rows in reading order; empty when only counted. */
  rows: EventRow[]
  /** How many matched. */
  count: number
  /** The list is known up to and including this place; undefined when the reading came to its end. */
  examinedThrough: Place | undefined
}

/** A stored event of which only the place is looked at until its record is needed. */
export interface EventRow {
  place: Place
  /** At least what its record takes in a response, in bytes. Throws where only the place was read. */
  readonly bytes: number
  /** The store's own. */
  item: unknown
}
