import type { Place, PlaceSpan } from '../../events/place.ts'
import type { EventRow, EventStore } from '../event-store.ts'
import type { Position } from '../position.ts'

/**
 * The rows of a plan in the order of the answer, read on demand. The caller checks the budget between rounds of
 * reading. A stream can stop at any row, and a later request can resume from the stream's position.
 */
export interface EventStream {
  /** Runs one round of parallel calls that aims for `want` ready rows, although fewer may become ready. */
  fill(want: number): Promise<void>
  /** The number of rows that can be taken now. */
  ready(): number
  take(count: number): EventRow[]
  /** Drops ready rows, and returns their number. */
  skip(count: number): number
  /** Whether everything has been read. If so, only the ready rows are left. */
  done(): boolean
  /** The position from which to continue after the rows taken so far. Undefined at the start of the answer. */
  position(): Position | undefined
}

export interface ListStream extends EventStream {
  position(): Extract<Position, { at: 'place' }> | undefined
  /** The place of the ready row at `index`, where 0 is the next row. */
  peek(index: number): Place | undefined
  begun(): boolean
  /** How far the part has been read, including ready rows. */
  reach(): Reach
}

interface Reach {
  /** The place where reading started. For a read from the beginning, the place of the first row. */
  origin: Place | undefined
  frontier: Place | undefined
  /** The number of matching rows between `origin` and `frontier`. */
  rows: number
}

export interface StreamContext {
  store: EventStore
  /** For skipping and counting, `places` reads rows without their records, and `count` only counts a list's rows. */
  select: 'rows' | 'places' | 'count'
}

export interface StreamScope {
  /** If set, the stream continues after this position. */
  from?: Position | undefined
  span?: PlaceSpan
}
