import type { Network } from './parameters.ts'

export type { Network } from './parameters.ts'

/**
 * These types are written by hand, so that the client needs no zod. If the service's types differ, a client test does
 * not compile.
 */
export type EventRecord = Minted | MintedBatch | Transfer | OwnershipTransferred

export type EventKind = EventRecord['event']

/** The filters that take a user's address. `owner` also matches the `newOwner` of `OwnershipTransferred`. */
export type Role = 'creator' | 'from' | 'initialOwner' | 'operator' | 'owner' | 'to'

/** Addresses and hashes are in lower case. Token ids and quantities are decimal strings, so no digit is lost. */
interface Common {
  /** Stable, and unique across all networks. */
  id: string
  network: Network
  /** The contract that emitted the event. */
  address: string
  blockNumber: number
  blockHash: string
  transactionHash: string
  logIndex: number
  /** The timestamp of the block, such as `2023-06-01T12:00:05.000Z`. */
  createdAt: string
}

export interface Minted extends Common {
  event: 'Minted'
  creator: string
  initialOwner: string
  bucketHash: string
  tokenId: string
  quantity: string
}

export interface MintedBatch extends Common {
  event: 'MintedBatch'
  token: string
  owner: string
  tokenIds: string[]
  quantities: string[]
}

export interface Transfer extends Common {
  event: 'TransferSingle' | 'TransferBatch'
  operator: string
  from: string
  to: string
  tokenIds: string[]
  quantities: string[]
}

export interface OwnershipTransferred extends Common {
  event: 'OwnershipTransferred'
  previousOwner: string
  newOwner: string
}
