import type { Network } from './network.ts'

export type { Network } from './network.ts'

/**
 * One event as the service sends it. Written out, so that the client can be taken to where neither zod nor the rest
 * of the service is; that it is what the service sends is checked when its test is compiled.
 */
export type EventRecord = Minted | MintedBatch | Transfer | OwnershipTransferred

export type EventKind = EventRecord['event']

/** The filters of token events that take a user's address; `owner` is `newOwner` in `OwnershipTransferred`. */
export type Role = 'creator' | 'from' | 'initialOwner' | 'operator' | 'owner' | 'to'

/** Addresses and hashes are in lower case; token ids and quantities decimal, as numbers would lose digits. */
interface Common {
  /** Stable, and unique over all networks. */
  id: string
  network: Network
  /** The contract that emitted the event. */
  address: string
  blockNumber: number
  blockHash: string
  transactionHash: string
  logIndex: number
  /** The block's time, as `2023-06-01T12:00:05.000Z`. */
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
