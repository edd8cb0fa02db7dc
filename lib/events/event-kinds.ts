/** The values of a record's `event`. */
export const EVENT_KINDS = [
  'Minted',
  'MintedBatch',
  'TransferSingle',
  'TransferBatch',
  'OwnershipTransferred',
] as const

export type EventKind = (typeof EVENT_KINDS)[number]

/** The fields of each kind that hold a user's address: what `user-events` matches. */
export const USER_FIELDS = {
  Minted: ['creator', 'initialOwner'],
  MintedBatch: ['owner'],
  TransferSingle: ['operator', 'from', 'to'],
  TransferBatch: ['operator', 'from', 'to'],
  OwnershipTransferred: ['previousOwner', 'newOwner'],
} as const satisfies Record<EventKind, readonly string[]>

export type UserField = (typeof USER_FIELDS)[EventKind][number]

/** The filters of `token-events` that take a user's address. */
export const ROLES = ['creator', 'from', 'initialOwner', 'operator', 'owner', 'to'] as const

export type Role = (typeof ROLES)[number]

/** For each role, the field that holds it in each kind of event that knows the role. */
export const ROLE_FIELDS: Record<Role, Partial<Record<EventKind, UserField>>> = {
  creator: { Minted: 'creator' },
  initialOwner: { Minted: 'initialOwner' },
  owner: { MintedBatch: 'owner', OwnershipTransferred: 'newOwner' },
  operator: { TransferSingle: 'operator', TransferBatch: 'operator' },
  from: { TransferSingle: 'from', TransferBatch: 'from' },
  to: { TransferSingle: 'to', TransferBatch: 'to' },
}

/** The field of each kind that holds the ids of the tokens it moves, mints or burns: one, or a list. */
export const TOKEN_ID_FIELDS = {
  Minted: 'tokenId',
  MintedBatch: 'tokenIds',
  TransferSingle: 'tokenIds',
  TransferBatch: 'tokenIds',
} as const satisfies Partial<Record<EventKind, string>>
