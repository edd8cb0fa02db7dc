import type { Place, PlaceSpan } from '../../events/place.ts'
import type { EventRow, EventStore } from '../event-store.ts'
import type { Position } from '../position.ts'
import type { ListProgress } from './choose-list.ts'

/**
 * The rows of a plan in the order of the answer, read on demand. Between two rounds of reading the
 * caller decides whether there is budget for another; a stream can be left at any moment and taken up
 * again, by another request, from its position.
 */
export interface EventStream {
  /** One round of reading (calls that run at once), aimed at having `want` rows ready. May fall short. */
  fill(want: number): Promise<void>
  /** How many rows can be taken now. */
  ready(): number
  take(count: number): EventRow[]
  /** Leaves out rows that are ready; returns how many. */
  skip(count: number): number
  /** Whether everything has been read: what is ready is all that follows. */
  done(): boolean
  /** Where to go on after the rows taken so far; undefined while that is the very start. */
  position(): Position | undefined
}

/** A stream of one part of the order, from which a merge picks. */
export interface ListStream extends EventStream {
  position(): Extract<Position, { at: 'place' }> | undefined
  /** The place of a row that is ready, counted from the next one. */
  peek(index: number): Place | undefined
  /** Whether anything has been read. */
  begun(): boolean
  /** How far reading has come, ahead of what is ready. */
  reach(): Reach
}

interface Reach {
  /** Where the reading began, or its first row. */
  origin: Place | undefined
  /** The furthest place examined. */
  frontier: Place | undefined
  /** Matching rows between the two. */
  rows: number
}

export interface StreamContext {
  store: EventStore
  /** For skipping, `places` reads rows without their records; `count` only how many rows one list has. */
  select: 'rows' | 'places' | 'count'
}

/** What part of a plan's rows is read. */
export interface StreamScope {
  /** Go on behind this position. */
  from?: Position | undefined
  /** Only rows within these places. */
  span?: PlaceSpan
  /** What earlier streams have found out about the same lists. */
  progress?: ListProgress[]
}
