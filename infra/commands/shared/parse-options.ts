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
  throw new InvalidArgumentError('It is a whole number.')
}

export function parseChainId(value: string): number {
  if (/^[1-9]\d{0,14}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('It is a whole number from 1 on.')
}

export const parseConfirmations = (value: string): Confirmations =>
  value === 'finalized' ? value : parseBlock(value)

/** A request may take up to half of a lease, and is given 5 seconds. */
const MIN_LEASE_SECONDS = 10

export function parseLease(value: string): number {
  if (/^\d{1,4}$/.test(value) && Number(value) >= MIN_LEASE_SECONDS) return Number(value)
  throw new InvalidArgumentError(`It is a whole number from ${MIN_LEASE_SECONDS} on.`)
}
