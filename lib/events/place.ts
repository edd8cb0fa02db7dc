import { NETWORKS, type Network } from './networks.ts'

const FIRST_NETWORK = NETWORKS[0] as Network
const LAST_NETWORK = NETWORKS[NETWORKS.length - 1] as Network

/** Enough for all seconds up to the year 9999, the last year that ISO 8601 writes with four digits. */
const SECONDS_DIGITS = 12
/** Enough for 10^12 blocks. Arbitrum, the fastest of the chains, produces about 10^8 a year. */
const BLOCK_DIGITS = 12
/** The length of `bnb-chain`. Never change it, because stored places of another width would sort wrongly. */
const NETWORK_WIDTH = 9
const NETWORK_START = SECONDS_DIGITS + 1 + BLOCK_DIGITS + 1
/** Pads short names, and sorts before every character of a name, so padded names sort like the names themselves. */
const NETWORK_FILL = '#'
/** Allows no digits, because the schema of ids forbids them, and no separators of places, list keys, ids or headers. */
const NETWORK_NAME = /^[a-z][a-z-]*$/
const NETWORK_TEXTS = fillNetworkNames(NETWORKS)
const NETWORKS_BY_TEXT = new Map([...NETWORK_TEXTS].map(([network, text]) => [text, network]))
/** Enough for a 32-bit number, which nodes use for the index of a log. */
const LOG_INDEX_DIGITS = 10

export const MAX_SECONDS = 253_402_300_799
export const MAX_BLOCK_NUMBER = 10 ** BLOCK_DIGITS - 1
export const MAX_LOG_INDEX = 2 ** 32 - 1

/**
 * The position of an event in the total order of all events: block time, block number, network and log index. Each part
 * has a fixed width, so comparing places as strings gives the order of chain history.
 */
export type Place = string

/** The parts of a place that all events of a block share. */
export interface BlockParts {
  /** Block time in Unix seconds. */
  seconds: number
  blockNumber: number
  network: Network
}

export interface PlaceParts extends BlockParts {
  logIndex: number
}

/** All places have the same length. Throws `RangeError` for a part that does not fit its width. */
export function encodePlace(parts: PlaceParts): Place {
  return `${blockPrefix(parts)}#${digits(parts.logIndex, LOG_INDEX_DIGITS)}`
}

/** Pads names to one width without changing how they sort. Throws `RangeError` for an unsuitable name. */
export function fillNetworkNames<Name extends string>(names: readonly Name[]): Map<Name, string> {
  for (const name of names) {
    if (name.length > NETWORK_WIDTH || !NETWORK_NAME.test(name)) {
      throw new RangeError(
        `A network cannot be named ${name}: its name must begin with a lower-case letter, and must consist of at most ${NETWORK_WIDTH} lower-case letters and hyphens`,
      )
    }
  }
  return new Map(names.map(name => [name, name.padEnd(NETWORK_WIDTH, NETWORK_FILL)]))
}

export function placeOf(record: {
  createdAt: string
  blockNumber: number
  network: Network
  logIndex: number
}): Place {
  return encodePlace({ ...record, seconds: Date.parse(record.createdAt) / 1000 })
}

const PLACE = new RegExp(`^(\\d{12})#(\\d{12})#(${[...NETWORK_TEXTS.values()].join('|')})#(\\d{10})$`)

/** Undefined for any string that is not a place. */
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

export const networkOf = (place: string): Network | undefined =>
  PLACE.test(place)
    ? NETWORKS_BY_TEXT.get(place.slice(NETWORK_START, NETWORK_START + NETWORK_WIDTH))
    : undefined

/** Compares places by time, block number, network and log index. */
export const compareByTime = (a: Place, b: Place): number => (a < b ? -1 : a > b ? 1 : 0)

/** Compares places by block number, network and log index, ignoring time. */
export const compareByBlock = (a: Place, b: Place): number =>
  compareByTime(a.slice(SECONDS_DIGITS), b.slice(SECONDS_DIGITS))

/** Returns the place at which a read in `direction` has passed every event of this second. */
export function endOfSecond(seconds: number, direction: 'asc' | 'desc'): Place {
  return direction === 'asc'
    ? encodePlace({ seconds, blockNumber: MAX_BLOCK_NUMBER, network: LAST_NETWORK, logIndex: MAX_LOG_INDEX })
    : encodePlace({ seconds, blockNumber: 0, network: FIRST_NETWORK, logIndex: 0 })
}

export const endOfBlock = (block: BlockParts, direction: 'asc' | 'desc'): Place =>
  encodePlace({ ...block, logIndex: direction === 'asc' ? MAX_LOG_INDEX : 0 })

/** Sorts before the place of every event. */
export const BEGINNING: Place = ''

/** Sorts after the network's events of earlier seconds, and before its events of this and later seconds. */
export const beforeSecond = (seconds: number, network: Network): Place =>
  seconds === 0
    ? BEGINNING
    : endOfBlock({ seconds: seconds - 1, blockNumber: MAX_BLOCK_NUMBER, network }, 'asc')

/** A span of places, including both ends. The ends need not be places of events. */
export interface PlaceSpan {
  first: string
  last: string
}

export const secondSpan = (seconds: number): PlaceSpan =>
  placesBetween({ from: { seconds }, to: { seconds } })

/** A whole second, or only one block in it if `blockNumber` is set. */
export interface Moment {
  seconds: number
  blockNumber?: number | undefined
}

/** Returns the span of all places from the start of `from` to the end of `to`. */
export const placesBetween = ({ from, to }: { from: Moment; to: Moment }): PlaceSpan => ({
  first: prefixSpan(momentPrefix(from)).first,
  last: prefixSpan(momentPrefix(to)).last,
})

/** Returns the places that are in both spans. If there are none, `first` sorts after `last`. */
export const commonSpan = (a: PlaceSpan, b: PlaceSpan): PlaceSpan => ({
  first: compareByTime(a.first, b.first) > 0 ? a.first : b.first,
  last: compareByTime(a.last, b.last) < 0 ? a.last : b.last,
})

export function blockSpan(block: BlockParts): PlaceSpan {
  return prefixSpan(blockPrefix(block))
}

/** `~` sorts after every character of a place, so `last` sorts after all places with this prefix. */
const prefixSpan = (prefix: string): PlaceSpan => ({ first: `${prefix}#`, last: `${prefix}#~` })

function blockPrefix({ network, ...moment }: BlockParts): string {
  const networkText = NETWORK_TEXTS.get(network)
  if (networkText === undefined) throw new RangeError(`${network} is not a network of this service`)
  return `${momentPrefix(moment)}#${networkText}`
}

const momentPrefix = ({ seconds, blockNumber }: Moment): string =>
  blockNumber === undefined
    ? digits(seconds, SECONDS_DIGITS)
    : `${digits(seconds, SECONDS_DIGITS)}#${blockDigits(blockNumber)}`

/** Throws `RangeError` for a number that does not fit. */
export const blockDigits = (blockNumber: number): string => digits(blockNumber, BLOCK_DIGITS)

function digits(value: number, width: number): string {
  const text = String(value)
  if (text.length > width || !Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`${value} does not fit into ${width} decimal digits`)
  }
  return text.padStart(width, '0')
}
