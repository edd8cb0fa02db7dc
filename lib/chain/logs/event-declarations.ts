import { EVENT_KINDS, type EventKind, OWN_LOGS, type OwnFields } from '../../events/event-kinds.ts'

type KnownEventOf<K extends EventKind> = {
  /** The event's declaration in Solidity, including which parameters are indexed. */
  signature: `event ${string}`
  event: K
  /**
   * For each of the record's own fields, the name of the parameter that fills the field. If the field is a list, a
   * single number becomes a list of one number. Parameters that fill no field are decoded, but not stored. A `constant`
   * fills a field for which the event has no parameter.
   */
  fields: Record<keyof OwnFields<K>, string | { constant: string }>
}

export type KnownEvent = { [K in EventKind]: KnownEventOf<K> }[EventKind]

/**
 * The events whose logs become records. A log of any other event is rejected.
 *
 * To support the events of more contracts, add rows after those of the event kinds. A row can declare the event of an
 * earlier row with different indexed parameters. Both rows then have the same topic, and each log is decoded with the
 * row that fits the log. A row can also map an event with a different name to a kind:
 *
 *     [
 *       ...EVENT_KINDS.map(ownLogOf),
 *       {
 *         signature: 'event Created(address indexed by, address indexed to, string uri, uint256 indexed id)',
 *         …
 *       },
 *     ]
 *
 * A field for a user or an address requires a parameter of type `address`, a text field requires type `string`, and a
 * number field requires an unsigned integer type. A list accepts an unsigned integer or an array of unsigned integers.
 * If a row names a parameter that its signature lacks, or a parameter of an unsuitable type, the program fails at
 * startup.
 */
export const KNOWN_EVENTS: readonly KnownEvent[] = EVENT_KINDS.map(ownLogOf)

function ownLogOf(event: EventKind): KnownEvent {
  const { signature, parameters } = OWN_LOGS[event]
  return { signature, event, fields: parameters } as KnownEvent
}

/**
 * An ERC-721 transfer (https://eips.ethereum.org/EIPS/eip-721), which becomes a record only if `erc721` is true. A log
 * of ERC-20's `Transfer` has the same first topic, but is rejected: its amount is not indexed, so it has only three
 * topics. An ERC-721 log does not name the operator, so the record names the previous owner, who is usually also the
 * operator.
 */
export const ERC721_TRANSFER: KnownEvent = {
  signature: 'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  event: 'TransferSingle',
  fields: { operator: 'from', from: 'from', to: 'to', tokenIds: 'tokenId', quantities: { constant: '1' } },
}
