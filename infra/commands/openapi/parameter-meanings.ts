import type { Role } from '../../../lib/events/event-kinds.ts'
import {
  BLOCK_NUMBER,
  DEFAULT_LIMIT,
  type Endpoint,
  MAX_LIMIT,
  type PARAMETERS,
} from '../../../lib/query/parameters.ts'

type Common = keyof (typeof PARAMETERS)['user-events'] & keyof (typeof PARAMETERS)['token-events']

const COMMON: Record<Common | 'blockNumber', string> = {
  skip: `Leave out this many records before the page begins; none by default. To read on, follow \`Link\`, which is exact and as fast on the thousandth page as on the first. Cannot be combined with \`cursor\`.`,
  limit: `Return at most this many records. A page has at most ${MAX_LIMIT}, however many are asked for; \`Link\` leads to the rest.`,
  cursor:
    'Go on exactly where an earlier page stopped, whatever has been written since. Taken from the `Link` of that page; it never expires, and belongs to the same filters and order. `limit` may change. Cannot be combined with `skip`.',
  createdAt: 'Sort by the time of the block. Without any order given, the latest events come first.',
  transactionHash:
    'Only events of this transaction: `0x` and 64 hex digits, in any letter case. Any other value is valid, and no event has it.',
  event: 'Only events of this kind.',
  blockNumber: `Has two meanings, told apart by the value, and may be given once for each: a number from ${BLOCK_NUMBER.min} to ${BLOCK_NUMBER.max} returns only events of blocks with that number; \`asc\` or \`desc\` sorts by block number. Given twice, it does both. With \`createdAt\` too, equal times are sorted by block number in this direction. Events of blocks beyond the bound (on arbitrum) are returned and sorted as well; only this filter is bounded.`,
}

const ROLES: Record<Role, string> = {
  owner: 'Only events that give to this owner: `owner` of MintedBatch, `newOwner` of OwnershipTransferred.',
  initialOwner: 'Only events with this `initialOwner`: Minted.',
  creator: 'Only events with this `creator`: Minted.',
  from: 'Only events with this `from`: TransferSingle and TransferBatch. A mint comes from the zero address.',
  to: 'Only events with this `to`: TransferSingle and TransferBatch. A burn goes to the zero address.',
  operator:
    'Only events with this `operator`, the account that made the transfer: TransferSingle and TransferBatch.',
}

/** What each query parameter means to a caller; bounds and defaults are read from the schemas. */
export const PARAMETER_MEANINGS: Record<Endpoint, Record<string, string>> = {
  'user-events': { ...COMMON, network: 'Only events on this network. Without it, events of all networks.' },
  'token-events': {
    ...COMMON,
    address:
      'Only events of this token contract, the one that emitted them. An address is `0x` and 40 hex digits, in any letter case; any other text of a legal length is valid, and no event has it.',
    ...ROLES,
  },
}

export const USER_ADDRESS_MEANING =
  'The user’s address: `0x` and 40 hex digits, in any letter case. Matches every event in which the user is `creator`, `initialOwner`, `owner`, `operator`, `from`, `to`, `previousOwner` or `newOwner`; each event is returned once. Any other text of a legal length is valid, and has no events.'

/** Not for `skip`: 0 is what its absence means, but a caller who fills it in cannot use `cursor`. */
export const DEFAULTS: Partial<Record<string, number>> = { limit: DEFAULT_LIMIT }
