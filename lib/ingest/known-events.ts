import type { EventKind, OwnFields } from '../events/event-kinds.ts'

type KnownEventOf<K extends EventKind> = {
  /** The event as Solidity declares it. Which parameters are indexed is part of it. */
  signature: `event ${string}`
  /** The kind of record that such a log becomes. */
  event: K
  /**
   * For each of the record's own fields, the parameter that it is read from. A single number for a field
   * that is a list becomes a list of one. Parameters that no field names are checked and left out. A `constant` stands
   * in for a number that the event does not tell.
   */
  fields: Record<keyof OwnFields<K>, string | Constant>
}

/** A decimal number. */
interface Constant {
  constant: string
}

export type KnownEvent = { [K in EventKind]: KnownEventOf<K> }[EventKind]

/**
 * The logs that become records; every other log is reported and left out.
 *
 * To have further contracts read, add rows: the same event with other indexed parameters (the topic is
 * the same then, and the row that a log fits is taken), or another name for the same thing, such as
 *
 *     {
 *       signature: 'event Created(address indexed by, address indexed to, string uri, uint256 indexed id)',
 *       …
 *     }
 *
 * Users must be of type `address`, texts of type `string`, numbers of an unsigned type or, for lists, an
 * array of one. A row that names a parameter which isn't there fails when the program starts.
 */
export const KNOWN_EVENTS: readonly KnownEvent[] = [
  {
    signature:
      'event Minted(address indexed creator, address indexed initialOwner, string _bucketHash, uint256 _tokenId, uint256 _quantity)',
    event: 'Minted',
    fields: {
      creator: 'creator',
      initialOwner: 'initialOwner',
      bucketHash: '_bucketHash',
      tokenId: '_tokenId',
      quantity: '_quantity',
    },
  },
  {
    signature:
      'event MintedBatch(address indexed token, address indexed owner, uint256[] _tokenIds, uint256[] _quantities)',
    event: 'MintedBatch',
    fields: { token: 'token', owner: 'owner', tokenIds: '_tokenIds', quantities: '_quantities' },
  },
  // https://eips.ethereum.org/EIPS/eip-1155
  {
    signature:
      'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
    event: 'TransferSingle',
    fields: { operator: 'operator', from: 'from', to: 'to', tokenIds: 'id', quantities: 'value' },
  },
  {
    signature:
      'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
    event: 'TransferBatch',
    fields: { operator: 'operator', from: 'from', to: 'to', tokenIds: 'ids', quantities: 'values' },
  },
  // https://eips.ethereum.org/EIPS/eip-173
  {
    signature: 'event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
    event: 'OwnershipTransferred',
    fields: { previousOwner: 'previousOwner', newOwner: 'newOwner' },
  },
]

/**
 * A transfer of ERC-721 (https://eips.ethereum.org/EIPS/eip-721), read only where that is asked for. ERC-20's `Transfer`
 * has the same topic, but its amount is not indexed: it has three topics, not four, and is no known event. Nobody
 * is named as the operator: the former owner stands for it, who mostly is.
 */
export const ERC721_TRANSFER: KnownEvent = {
  signature: 'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  event: 'TransferSingle',
  fields: { operator: 'from', from: 'from', to: 'to', tokenIds: 'tokenId', quantities: { constant: '1' } },
}
