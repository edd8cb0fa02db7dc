import { NETWORKS, type Network } from './networks.ts'

const FIRST_NETWORK = NETWORKS[0] as Network
const LAST_NETWORK = NETWORKS[NETWORKS.length - 1] as Network

/** Seconds up to the year 9999, the last one that ISO 8601 writes with four digits. */
const SECONDS_DIGITS = 12
/** Arbitrum, the fastest chain served, makes about 10^8 blocks a year. */
export const BLOCK_DIGITS = 12
/** As wide as `bnb-chain`. Stored keys have this width: with another one, old and new places would not compare. */
const NETWORK_WIDTH = 9
/** Where it stands in a place. */
const NETWORK_START = SECONDS_DIGITS + 1 + BLOCK_DIGITS + 1
/** Sorts before all that names are made of, so that filled names compare as the names do. */
const NETWORK_FILL = '#'
/** Without the characters that separate the parts of places, list keys, ids and headers. */
const NETWORK_NAME = /^[a-z][a-z0-9-]*$/
/** The networks as they stand in a place. */
const NETWORK_TEXTS = fillNetworkNames(NETWORKS)
const NETWORKS_BY_TEXT = new Map([...NETWORK_TEXTS].map(([network, text]) => [text, network]))
/** Nodes count the logs of a block in 32 bits. */
const LOG_INDEX_DIGITS = 10

export const MAX_SECONDS = 253_402_300_799
export const MAX_BLOCK_NUMBER = 10 ** BLOCK_DIGITS - 1
export const MAX_LOG_INDEX = 2 ** 32 - 1

/**
 * Where an event stands in the total order of all events: block time, block number, network and log
 * index, each of fixed width, so that places compare as strings exactly as events do as chain history.
 */
export type Place = string

export interface PlaceParts {
  /** Block time in Unix seconds. */
  seconds: number
  blockNumber: number
  network: Network
  logIndex: number
}

/** Throws `RangeError` for a part that does not fit its width: all places have the same length. */
export function encodePlace(parts: PlaceParts): Place {
  return `${blockPrefix(parts)}#${digits(parts.logIndex, LOG_INDEX_DIGITS)}`
}

/**
 * Names as they stand in a place: all of one width, and comparing as the names do. Throws `RangeError` for a
 * name that is too long, or has anything but lower-case letters, digits and hyphens.
 */
export function fillNetworkNames<Name extends string>(names: readonly Name[]): Map<Name, string> {
  for (const name of names) {
    if (name.length > NETWORK_WIDTH || !NETWORK_NAME.test(name)) {
      throw new RangeError(
        `A network cannot be named ${name}: stored keys have room for ${NETWORK_WIDTH} lower-case letters, digits and hyphens, the first a letter`,
      )
    }
  }
  return new Map(names.map(name => [name, name.padEnd(NETWORK_WIDTH, NETWORK_FILL)]))
}

/** The place of an event record. */
export function placeOf(record: {
  createdAt: string
  blockNumber: number
  network: Network
  logIndex: number
}): Place {
  return encodePlace({ ...record, seconds: Date.parse(record.createdAt) / 1000 })
}

const PLACE = new RegExp(`^(\\d{12})#(\\d{12})#(${[...NETWORK_TEXTS.values()].join('|')})#(\\d{10})$`)

/** The parts of a place, or undefined when the text is not a place that `encodePlace` makes. */
export function decodePlace(place: string): PlaceParts | undefined {
  const match = PLACE.exec(place)
  if (!match) return undefined
  const [, seconds, blockNumber, networkText, logIndex] = match
  const network = NETWORKS_BY_TEXT.get(networkText ?? '')
  return (
    network && {
      seconds: Number(seconds),
      blockNumber: Number(blockNumber),
      network,
      logIndex: Number(logIndex),
    }
  )
}

/** The network of a place, or undefined when the text is not a place that `encodePlace` makes. */
export const networkOf = (place: string): Network | undefined =>
  PLACE.test(place)
    ? NETWORKS_BY_TEXT.get(place.slice(NETWORK_START, NETWORK_START + NETWORK_WIDTH))
    : undefined

/** Compares as the order by time does; negative when `a` comes first. */
export const compareByTime = (a: Place, b: Place): number => (a < b ? -1 : a > b ? 1 : 0)

/** Compares by block number, network and log index, whatever the time. */
export const compareByBlock = (a: Place, b: Place): number =>
  compareByTime(a.slice(SECONDS_DIGITS), b.slice(SECONDS_DIGITS))

/** A place behind every event of this second, in the given direction of reading. */
export function endOfSecond(seconds: number, direction: 'asc' | 'desc'): Place {
  return direction === 'asc'
    ? encodePlace({ seconds, blockNumber: MAX_BLOCK_NUMBER, network: LAST_NETWORK, logIndex: MAX_LOG_INDEX })
    : encodePlace({ seconds, blockNumber: 0, network: FIRST_NETWORK, logIndex: 0 })
}

/** A place behind every event of this block, in the given direction of reading. */
export const endOfBlock = (block: PlaceParts, direction: 'asc' | 'desc'): Place =>
  encodePlace({ ...block, logIndex: direction === 'asc' ? MAX_LOG_INDEX : 0 })

/** Before every place: behind it stands all that there is. */
export const BEGINNING: Place = ''

/** A place before every event that a network has from this second on, and behind every earlier one. */
export const beforeSecond = (seconds: number, network: Network): Place =>
  seconds === 0
    ? BEGINNING
    : endOfBlock({ seconds: seconds - 1, blockNumber: MAX_BLOCK_NUMBER, network, logIndex: 0 }, 'asc')

/** A span of places, both ends included; the ends need not be places of events. */
export interface PlaceSpan {
  first: string
  last: string
}

/** Every place of one second, over all blocks and networks. */
export const secondSpan = (seconds: number): PlaceSpan =>
  placesBetween({ from: { seconds }, to: { seconds } })

/** A second, or a block of it. */
export interface Moment {
  seconds: number
  blockNumber?: number | undefined
}

/** Every place from the beginning of one moment to the end of another. */
export const placesBetween = ({ from, to }: { from: Moment; to: Moment }): PlaceSpan => ({
  first: prefixSpan(momentPrefix(from)).first,
  last: prefixSpan(momentPrefix(to)).last,
})

/** What two spans have in common; it holds nothing where its first place is behind its last. */
export const commonSpan = (a: PlaceSpan, b: PlaceSpan): PlaceSpan => ({
  first: compareByTime(a.first, b.first) > 0 ? a.first : b.first,
  last: compareByTime(a.last, b.last) < 0 ? a.last : b.last,
})

/** Every place of one block of one network. */
export function blockSpan(block: PlaceParts): PlaceSpan {
  return prefixSpan(blockPrefix(block))
}

/** `~` sorts after every character of a place. */
const prefixSpan = (prefix: string): PlaceSpan => ({ first: `${prefix}#`, last: `${prefix}#~` })

/** What the places of all events of a block begin with. */
function blockPrefix({ network, ...moment }: PlaceParts): string {
  const networkText = NETWORK_TEXTS.get(network)
  if (networkText === undefined) throw new RangeError(`${network} is no network that is served`)
  return `${momentPrefix(moment)}#${networkText}`
}

const momentPrefix = ({ seconds, blockNumber }: Moment): string =>
  blockNumber === undefined
    ? digits(seconds, SECONDS_DIGITS)
    : `${digits(seconds, SECONDS_DIGITS)}#${blockDigits(blockNumber)}`

/** A block number as places have it. Throws `RangeError` for one that has no place. */
export const blockDigits = (blockNumber: number): string => digits(blockNumber, BLOCK_DIGITS)

function digits(value: number, width: number): string {
  const text = String(value)
  if (text.length > width || !Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`${value} does not fit into ${width} decimal digits`)
  }
  return text.padStart(width, '0')
}
