import type { EventRecord } from '../../events/record.ts'

/** The names of the fields of all kinds of records, the lists by the name of their elements. */
type Column = {
  [Kind in EventRecord['event']]: ColumnsOf<EventRecord & { event: Kind }>
}[EventRecord['event']]
type ColumnsOf<Record> = Exclude<keyof Record, 'tokenIds' | 'quantities'> | 'tokenId' | 'quantity'

/**
 * In this order, which callers may rely on; a new kind's fields do not compile until they stand here. What differs
 * within one record comes last.
 */
const COLUMNS = Object.keys({
  event: true,
  id: true,
  network: true,
  address: true,
  blockNumber: true,
  blockHash: true,
  transactionHash: true,
  logIndex: true,
  createdAt: true,
  creator: true,
  initialOwner: true,
  bucketHash: true,
  token: true,
  owner: true,
  operator: true,
  from: true,
  to: true,
  previousOwner: true,
  newOwner: true,
  tokenId: true,
  quantity: true,
} satisfies Record<Column, true>)
const REPEATED = COLUMNS.slice(0, -2)

/** RFC 4180, https://www.rfc-editor.org/rfc/rfc4180 */
const LINE_END = '\r\n'

export const CSV_HEADER = COLUMNS.join(',') + LINE_END

/** A record's rows: one for each token id, in their order, or a single one without where it has none. */
export function csvRows(record: EventRecord): string {
  const repeated = repeatedFields(record)
  return pairsOf(record)
    .map(([tokenId, quantity]) => `${repeated},${tokenId},${quantity}${LINE_END}`)
    .join('')
}

/** What those rows take in a function's response, where they are a text within JSON. */
export const csvBytes = (record: EventRecord): number => sizeOfRows(record, bytesInJson)

/** How long the page of this record alone is, without writing it. */
export const csvLength = (record: EventRecord): number =>
  CSV_HEADER.length + sizeOfRows(record, text => text.length)

function sizeOfRows(record: EventRecord, sizeOf: (text: string) => number): number {
  const pairs = pairsOf(record)
  const digits = pairs.reduce((sum, [tokenId, quantity]) => sum + tokenId.length + quantity.length, 0)
  return digits + pairs.length * sizeOf(`${repeatedFields(record)},,${LINE_END}`)
}

const bytesInJson = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2

function pairsOf(record: EventRecord): (readonly [tokenId: string, quantity: string])[] {
  if ('tokenId' in record) return [[record.tokenId, record.quantity]]
  const { tokenIds = [], quantities = [] } = 'tokenIds' in record ? record : {}
  if (tokenIds.length === 0) return [['', '']]
  return tokenIds.map((tokenId, at) => [tokenId, quantities[at] ?? ''])
}

const repeatedFields = (record: EventRecord) =>
  REPEATED.map(column => field((record as Partial<Record<string, string | number>>)[column] ?? '')).join(',')

/** What spreadsheets take for the beginning of a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/

/** A value as it stands between commas. Texts from the chain are anybody's: what a spreadsheet would run has `'` in front. */
function field(value: string | number): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
