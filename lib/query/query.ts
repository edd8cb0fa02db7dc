import type { EventRecord } from '../events/record.ts'
import type { Filters } from './filters.ts'
import type { DIRECTIONS } from './parameter-schemas.ts'
import type { Position } from './position.ts'

export type Direction = (typeof DIRECTIONS)[number]

/**
 * The order of an answer. By `time`: createdAt in `direction`, then block number, network and log index in the
 * direction `ties`. By `block`: block number, then network and log index.
 */
export type Order =
  | { by: 'time'; direction: Direction; ties: Direction }
  | { by: 'block'; direction: Direction }

/** A query, independent of the page. */
export interface Query {
  /**
   * `unmatchable` if no event can have the requested value, although the value is valid. An example is a text that is
   * not an address.
   */
  filters: Filters | 'unmatchable'
  order: Order
}

/** The start of a page, and its maximum length. */
export interface PageStart {
  /** Continue after this position. Undefined for the beginning of the answer. */
  from: Position | undefined
  /** The number of records still to skip after this position. */
  skip: number
  limit: number
}

export interface Page {
  records: EventRecord[]
  /** Where the next page begins. Undefined at the end of the answer. */
  next: Pick<PageStart, 'from' | 'skip'> | undefined
  /**
   * Whether the page has fewer records than requested although more may follow. Either the budget ran out, or an event
   * was removed during the read.
   */
  isPartial: boolean
}
