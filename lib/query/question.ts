import type { EventKind, Role } from '../events/event-kinds.ts'
import type { Network } from '../events/networks.ts'

export type Direction = 'asc' | 'desc'

/**
 * The order of an answer, over all events. By `time`: createdAt in `direction`, then block number,
 * network and log index in the direction `ties`. By `block`: block number, network, log index.
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
  roles?: Partial<Record<Role, string>>
}

/** A request after parsing: filters normalised, defaults filled in. */
export interface Question {
  /** `unmatchable` when a value is valid but no address or hash of an event can equal it. */
  filters: Filters | 'unmatchable'
  order: Order
  /** Which endpoint was asked and for what: all that tells this question's pages from another's. */
  key: string
  skip: number
  /** Records wanted, at most `MAX_LIMIT`. */
  limit: number
}
