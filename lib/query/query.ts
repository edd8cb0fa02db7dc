import type { EventRecord } from '../events/record.ts'
import type { Filters } from './filters.ts'
import type { Position } from './position.ts'
import type { DIRECTIONS } from './value-schemas.ts'

export type Direction = (typeof DIRECTIONS)[number]

/**
 * The order of an answer. `time` sorts by createdAt in `direction`, and then by block number, network and log index in
 * the direction `ties`. `block` sorts by block number, network and log index in `direction`.
 */
export type Order =
  | { by: 'time'; direction: Direction; ties: Direction }
  | { by: 'block'; direction: Direction }

export interface Query {
  /** `unmatchable` if an accepted value, such as a string that is not an address, cannot occur in any event. */
  filters: Filters | 'unmatchable'
  order: Order
}

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
  /** Whether the page ended early, because the budget ran out or an event was removed meanwhile. More may follow. */
  isPartial: boolean
}
