import { COMMON_FIELDS, EVENT_KINDS, OWN_FIELDS } from '../../events/event-kinds.ts'
import type { EventRecord } from '../../events/record.ts'

/**
 * The columns whose values repeat in every row of a record. Callers may rely on the order of columns. So the fields of
 * a new kind of event are added after the existing fields.
 */
const REPEATED = [
  ...COMMON_FIELDS,
  ...new Set(
    EVENT_KINDS.flatMap(kind => OWN_FIELDS[kind].flatMap(([name]) => (isPerToken(name) ? [] : name))),
  ),
]
/** All columns. The last two columns differ between the rows of a record. */
const COLUMNS = [...REPEATED, 'tokenId', 'quantity']

/** RFC 4180, https://www.rfc-editor.org/rfc/rfc4180 */
const LINE_END = '\r\n'

export const CSV_HEADER = COLUMNS.join(',') + LINE_END

/**
 * Returns a record's rows: one row for each token id, in the order of the ids. A record without ids has a single row.
 */
export function csvRows(record: EventRecord): string {
  const repeated = repeatedFields(record)
  return pairsOf(record)
    .map(([tokenId, quantity]) => `${repeated},${tokenId},${quantity}${LINE_END}`)
    .join('')
}

/**
 * The size in bytes of a record's rows in a function's response. In the response the rows are part of a JSON string.
 */
export const csvBytes = (record: EventRecord): number => sizeOfRows(record, bytesInJson)

/** The length of a page that has only this record, computed without writing the page. */
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

/** Matches texts that a spreadsheet reads as a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/

/**
 * Returns a value as a CSV field. Anybody can write texts to the chain. So `'` is put before a text that a spreadsheet
 * would run as a formula.
 */
function field(value: string | number): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function isPerToken(name: string): boolean {
  return ['tokenId', 'quantity', 'tokenIds', 'quantities'].includes(name)
}
