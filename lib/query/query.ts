import type { Filters } from './filters.ts'
import type { DIRECTIONS } from './value-schemas.ts'

export type Direction = (typeof DIRECTIONS)[number]

/**
 * The order of an answer, over all events. By `time`: createdAt in `direction`, then block number,
 * network and log index in the direction `ties`. By `block`: block number, network and log index.
 */
export type Order =
  | { by: 'time'; direction: Direction; ties: Direction }
  | { by: 'block'; direction: Direction }

/** What is asked, whichever page of the answer is wanted. */
export interface Query {
  /** `unmatchable` where a value is valid but no event can have it: not an address, not a hash. */
  filters: Filters | 'unmatchable'
  order: Order
}
