import { NETWORKS, type Network } from './networks.ts'

const FIRST_NETWORK = NETWORKS[0]
const LAST_NETWORK = NETWORKS[NETWORKS.length - 1] as Network

/** Seconds up to the year 9999, the last one that ISO 8601 writes with four digits. */
const SECONDS_DIGITS = 12
/** Arbitrum, the fastest chain served, makes about 10^8 blocks a year. */
export const BLOCK_DIGITS = 12
/** `bnb-chain`; shorter names are filled with a character that sorts before every letter and `-`. */
const NETWORK_WIDTH = 9
const NETWORK_FILL = '#'
/** The networks as they stand in a place. */
const NETWORK_TEXTS = Object.fromEntries(
  NETWORKS.map(network => [network, network.padEnd(NETWORK_WIDTH, NETWORK_FILL)]),
) as Record<Network, string>
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

export function encodePlace({ seconds, blockNumber, network, logIndex }: PlaceParts): Place {
  return `${digits(seconds, SECONDS_DIGITS)}#${digits(blockNumber, BLOCK_DIGITS)}#${NETWORK_TEXTS[network]}#${digits(logIndex, LOG_INDEX_DIGITS)}`
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

const PLACE = new RegExp(`^(\\d{12})#(\\d{12})#(${Object.values(NETWORK_TEXTS).join('|')})#(\\d{10})$`)

/** The parts of a place, or undefined when the text is not a place that `encodePlace` makes. */
export function decodePlace(place: string): PlaceParts | undefined {
  const match = PLACE.exec(place)
  if (!match) return undefined
  const [, seconds, blockNumber, networkText, logIndex] = match
  const network = NETWORKS.find(known => NETWORK_TEXTS[known] === networkText)
  return (
    network && {
      seconds: Number(seconds),
      blockNumber: Number(blockNumber),
      network,
      logIndex: Number(logIndex),
    }
  )
}

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

/** A span of places, both ends included; the ends need not be places of events. */
export interface PlaceSpan {
  first: string
  last: string
}

/** Every place of one second, over all blocks and networks. */
export function secondSpan(seconds: number): PlaceSpan {
  return prefixSpan(digits(seconds, SECONDS_DIGITS))
}

/** Every place of one block of one network. */
export function blockSpan({ seconds, blockNumber, network }: PlaceParts): PlaceSpan {
  return prefixSpan(
    `${digits(seconds, SECONDS_DIGITS)}#${digits(blockNumber, BLOCK_DIGITS)}#${NETWORK_TEXTS[network]}`,
  )
}

/** `~` sorts after every character of a place. */
const prefixSpan = (prefix: string): PlaceSpan => ({ first: `${prefix}#`, last: `${prefix}#~` })

function digits(value: number, width: number): string {
  const text = String(value)
  if (text.length > width || !Number.isSafeInteger(value) || value < 0) {
    throw new RangeError(`${value} does not fit into ${width} decimal digits`)
  }
  return text.padStart(width, '0')
}
