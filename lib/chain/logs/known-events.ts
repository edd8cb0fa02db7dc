import { EVENT_KINDS, type EventKind, OWN_LOGS, type OwnFields } from '../../events/event-kinds.ts'

type KnownEventOf<K extends EventKind> = {
  /** The event's declaration in Solidity, including which parameters are indexed. */
  signature: `event ${string}`
  event: K
  /**
   * For each of the record's own fields, the name of the parameter that fills the field. If the field is a list, a
   * single number becomes a list of one number. Parameters that fill no field are checked, but not stored. A `constant`
   * fills a field for which the event has no parameter.
   */
  fields: Record<keyof OwnFields<K>, string | Constant>
}

/** A decimal number. */
interface Constant {
  constant: string
}

export type KnownEvent = { [K in EventKind]: KnownEventOf<K> }[EventKind]

/**
 * The logs that become records. Every other log is reported and left out.
 *
 * To read further contracts, add rows after the rows of the kinds. A row may declare an event of an earlier row again,
 * with other indexed parameters. The rows then have the same topic, and a log is decoded by the row that fits it. A row
 * may also map an event of another name to a kind:
 *
 *     [
 *       ...EVENT_KINDS.map(ownLogOf),
 *       {
 *         signature: 'event Created(address indexed by, address indexed to, string uri, uint256 indexed id)',
 *         …
 *       },
 *     ]
 *
 * A parameter for a user must have the type `address`, for a text the type `string`, for a number an unsigned type. A
 * parameter for a list may also have an array of an unsigned type. The program fails at its start if a row names a
 * parameter that its signature lacks.
 */
export const KNOWN_EVENTS: readonly KnownEvent[] = EVENT_KINDS.map(ownLogOf)

function ownLogOf(event: EventKind): KnownEvent {
  const { signature, parameters } = OWN_LOGS[event]
  return { signature, event, fields: parameters } as KnownEvent
}

/**
 * An ERC-721 transfer (https://eips.ethereum.org/EIPS/eip-721), read only on request. ERC-20's `Transfer` has the same
 * first topic, but three topics instead of four, because its amount is not indexed, so an ERC-20 transfer is not a
 * known event. An ERC-721 log does not contain the operator, so the former owner, which is mostly the same account,
 * becomes the record's operator.
 */
export const ERC721_TRANSFER: KnownEvent = {
  signature: 'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  event: 'TransferSingle',
  fields: { operator: 'from', from: 'from', to: 'to', tokenIds: 'tokenId', quantities: { constant: '1' } },
}
