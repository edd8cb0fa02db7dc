import type { EventList } from '../events/lists.ts'
import type { Network } from '../events/networks.ts'
import type { Place } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import type { Condition } from './condition.ts'
import type { Checkpoints, IndexedThrough } from './indexed-through.ts'
import type { Direction } from './query.ts'

/** Every list is sorted by place. */
export interface EventStore {
  /** The networks of the store's events. Queries are planned only for these networks. By default, all networks. */
  networks?: readonly Network[] | undefined
  /** The page may have fewer rows than `limit` even if the list has more matches (see `ListPage`). */
  readList(reading: ListReading, options?: CallOptions): Promise<ListPage>
  /** Keeps the rows' order, fetches long fields, and omits events that were removed after `readList`. */
  loadRecords(rows: EventRow[], options?: CallOptions): Promise<StoreCost & { records: EventRecord[] }>
  /**
   * Reads the recorded time of the given block, in Unix seconds. If this block has no recorded time, `side` decides
   * whether to read the time of the nearest earlier block (`before`) or of the nearest later block (`behind`) that has
   * a recorded time. Undefined if no such block exists.
   */
  readBlockTime(
    asked: BlockTimeAsked,
    options?: CallOptions,
  ): Promise<StoreCost & { seconds: number | undefined }>
  /** Reads the checkpoint of each network with a consistent read. */
  readCheckpoints(options?: CallOptions): Promise<StoreCost & Checkpoints>
}

export interface BlockTimeAsked {
  network: Network
  blockNumber: number
  side: 'before' | 'behind'
}

export interface CallOptions {
  /** Aborts the call, which then throws. */
  abortSignal?: AbortSignal
}

export interface ListReading {
  list: EventList
  /** If set, only this network's part of the list is read. Required for lists of `all`. */
  network?: Network
  /** Rows must meet every condition. Conditions cannot be combined with `select: 'count'`. */
  where: Condition[]
  direction: Direction
  /** Reading starts after this place, in `direction`. The place need not belong to an event. */
  after?: Place
  /** The last place to read, in `direction`. */
  until?: Place
  /** The maximum number of rows to examine, whether they match or not. */
  limit: number
  /** `places` transfers only the places of matching events, and `count` only their number. */
  select: 'rows' | 'places' | 'count'
  /** Consistent reads cost twice as much, and are allowed only with `network`. */
  isConsistent?: boolean
}

export interface ListPage extends StoreCost {
  /** The matching rows in reading order. Empty with `select: 'count'`. */
  rows: EventRow[]
  count: number
  /** The last place that was examined. Undefined if the list was read to its end, or to `until`. */
  examinedThrough: Place | undefined
}

/** A stored event, whose record is decoded only when needed. */
export interface EventRow {
  place: Place
  /** An upper bound on the record's size in a response. Throws if only the row's key was read, without its record. */
  readonly bytes: number
  /** Data that only the store interprets. */
  item: unknown
}

export interface StoreCost {
  calls: number
  examined: number
  readUnits: number
}

/** Networks without a recorded checkpoint are omitted. */
export type ReadIndexedThrough = () => Promise<StoreCost & { networks: IndexedThrough[] }>
