import { InvalidArgumentError } from 'commander'
import type { Confirmations } from '../../../lib/ingest/indexer/finality.ts'

export function parseUrl(value: string): string {
  if (/^https?:$/.test(URL.parse(value)?.protocol ?? '')) return value
  throw new InvalidArgumentError('It is a URL such as http://127.0.0.1:8000.')
}

/** For an option that may be repeated. */
export const addUrl = (value: string, urls: string[] = []): string[] => [...urls, parseUrl(value)]

/** For an option that may be repeated. */
export function addAddress(value: string, addresses: string[] = []): string[] {
  if (/^0x[0-9a-f]{40}$/i.test(value)) return [...addresses, value.toLowerCase()]
  throw new InvalidArgumentError('An address is 0x and 40 hex digits.')
}

export function parseBlock(value: string): number {
  if (/^\d{1,12}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('It is a whole number of up to 12 digits.')
}

const UNIX_SECONDS = /^\d{9,12}$/
const DATE_TIME = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/

/** A time in Unix seconds, rounded up. */
export function parseTime(value: string): number {
  if (UNIX_SECONDS.test(value)) return Number(value)
  const [, day] = DATE_TIME.exec(value) ?? []
  const milliseconds = day !== undefined && isInCalendar(day) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(milliseconds)) return Math.ceil(milliseconds / 1000)
  throw new InvalidArgumentError(
    'It is a date (2024-01-31, from its first second in UTC on), a time with its zone (2024-01-31T12:00:00Z), or Unix seconds.',
  )
}

/** `Date` would take the 30th of February for the 1st of March. */
function isInCalendar(day: string): boolean {
  const milliseconds = Date.parse(day)
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(day)
}

export function parseChainId(value: string): number {
  if (/^[1-9]\d{0,14}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('It is a whole number from 1 on, of up to 15 digits.')
}

export function parseConfirmations(value: string): Confirmations {
  if (value === 'finalized' || /^\d{1,12}$/.test(value)) return value === 'finalized' ? value : Number(value)
  throw new InvalidArgumentError('It is a whole number of blocks, or "finalized".')
}

/** A request may take up to half of a lease, and is given 5 seconds. */
export const MIN_LEASE_SECONDS = 10
/** An hour: longer than anybody wants to wait for one who died. */
export const MAX_LEASE_SECONDS = 3600

export function parseLease(value: string): number {
  const seconds = /^\d{1,4}$/.test(value) ? Number(value) : 0
  if (seconds >= MIN_LEASE_SECONDS && seconds <= MAX_LEASE_SECONDS) return seconds
  throw new InvalidArgumentError(
    `It is a whole number of seconds from ${MIN_LEASE_SECONDS} to ${MAX_LEASE_SECONDS}.`,
  )
}
