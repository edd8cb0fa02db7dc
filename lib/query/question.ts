import type { EventKind, Role } from '../events/event-kinds.ts'
import type { Network } from '../events/networks.ts'
import type { DIRECTIONS } from './parameters.ts'

export type Direction = (typeof DIRECTIONS)[number]

/**
 * The order of an answer, over all events. By `time`: createdAt in `direction`, then block number,
 * network and log index in the direction `ties`. By `block`: block number, network and log index.
 */
export type Order =
  | { by: 'time'; direction: Direction; ties: Direction }
  | { by: 'block'; direction: Direction }

/** What must hold for an event to be in the answer. Addresses and hashes are in lower case. */
export interface Filters {
  /** In any of an event's user fields. */
  user?: string
  /** The token contract. */
  token?: string
  network?: Network
  event?: EventKind
  blockNumber?: number
  transactionHash?: string
  roles: Partial<Record<Role, string>>
}

/** What is asked, whichever page of the answer is wanted. */
export interface Question {
  /** `unmatchable` where a value is valid but no event can have it: not an address, not a hash. */
  filters: Filters | 'unmatchable'
  order: Order
}
