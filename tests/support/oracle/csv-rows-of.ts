import type { EventRecord } from '../../../lib/events/record.ts'

/** The columns in their documented order. */
export const CSV_COLUMNS = [
  ...['event', 'id', 'network', 'address', 'blockNumber', 'blockHash', 'transactionHash', 'logIndex'],
  ...['createdAt', 'creator', 'initialOwner', 'bucketHash', 'token', 'owner', 'operator', 'from', 'to'],
  ...['previousOwner', 'newOwner', 'tokenId', 'quantity'],
]

type CsvRow = Record<string, string>

export function csvRowsOf(record: EventRecord): CsvRow[] {
  const { tokenIds, quantities, ...fields } = record as { tokenIds?: string[]; quantities?: string[] }
  const own = Object.fromEntries(CSV_COLUMNS.map(column => [column, textOf(Object(fields)[column])]))
  if (tokenIds === undefined || tokenIds.length === 0) return [own]
  return tokenIds.map((tokenId, at) => ({ ...own, tokenId, quantity: quantities?.[at] ?? '' }))
}

const FORMULAS = ['=', '+', '-', '@', '\t', '\r']

function textOf(value: unknown): string {
  const text = String(value ?? '')
  return FORMULAS.some(first => text.startsWith(first)) ? `'${text}` : text
}
