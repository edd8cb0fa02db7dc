import { COMMON_FIELDS, EVENT_KINDS, OWN_FIELDS } from '../../events/event-kinds.ts'
import type { EventRecord } from '../../events/record.ts'

/** Callers may rely on the positions of these columns, so the list never changes, and newer columns follow it. */
const FIRST_COLUMNS = [
  ...['event', 'id', 'network', 'address', 'blockNumber', 'blockHash', 'transactionHash', 'logIndex'],
  ...['createdAt', 'creator', 'initialOwner', 'bucketHash', 'token', 'owner', 'operator', 'from', 'to'],
  ...['previousOwner', 'newOwner', 'tokenId', 'quantity'],
]

export const columnsFor = (fields: readonly string[]): string[] => [
  ...new Set([...FIRST_COLUMNS, ...fields.map(name => ELEMENTS[name] ?? name)]),
]

/** For each field that is a list, the name of the column in which each row has one element of the list. */
const ELEMENTS: Partial<Record<string, string>> = { tokenIds: 'tokenId', quantities: 'quantity' }

const COLUMNS = columnsFor([
  ...COMMON_FIELDS,
  ...EVENT_KINDS.flatMap(kind => OWN_FIELDS[kind].map(([name]) => name)),
])
const TOKEN_ID = COLUMNS.indexOf('tokenId')
/** The columns before `tokenId` and after `quantity`, whose values are the same in every row of a record. */
const [BEFORE, BEHIND] = [COLUMNS.slice(0, TOKEN_ID), COLUMNS.slice(TOKEN_ID + 2)]

/** RFC 4180, https://www.rfc-editor.org/rfc/rfc4180 */
const LINE_END = '\r\n'

export const CSV_HEADER = COLUMNS.join(',') + LINE_END

/** Returns one row for each token id, in the order of the ids, or a single row for a record without ids. */
export function csvRows(record: EventRecord): string {
  const [before, behind] = repeatedFields(record)
  return pairsOf(record)
    .map(([tokenId, quantity]) => `${before},${tokenId},${quantity}${behind}${LINE_END}`)
    .join('')
}

/** The size of a record's rows in a function's response, where they are part of a JSON string. */
export const csvBytes = (record: EventRecord): number => sizeOfRows(record, bytesInJson)

/** The length of a page that contains only this record. */
export const csvLength = (record: EventRecord): number =>
  CSV_HEADER.length + sizeOfRows(record, text => text.length)

function sizeOfRows(record: EventRecord, sizeOf: (text: string) => number): number {
  const pairs = pairsOf(record)
  const digits = pairs.reduce((sum, [tokenId, quantity]) => sum + tokenId.length + quantity.length, 0)
  const [before, behind] = repeatedFields(record)
  return digits + pairs.length * sizeOf(`${before},,${behind}${LINE_END}`)
}

const bytesInJson = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2

/** The fields about tokens. No kind of event has all of these fields, and some kinds have none. */
interface Tokens {
  tokenId?: string
  quantity?: string
  tokenIds?: readonly string[]
  quantities?: readonly string[]
}

function pairsOf(record: EventRecord): (readonly [tokenId: string, quantity: string])[] {
  const { tokenId = '', quantity = '', tokenIds = [], quantities = [] } = record as Tokens
  if (tokenIds.length === 0) return [[tokenId, quantity]]
  return tokenIds.map((tokenId, at) => [tokenId, quantities[at] ?? ''])
}

function repeatedFields(record: EventRecord): [before: string, behind: string] {
  const text = (column: string) => field((record as Partial<Record<string, string | number>>)[column] ?? '')
  return [BEFORE.map(text).join(','), BEHIND.map(column => `,${text(column)}`).join('')]
}

/** Matches text that a spreadsheet reads as a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
const FORMULA = /^[=+\-@\t\r]/
const NEEDS_QUOTES = /[",\r\n]/

/** Anyone can write text to the chain, so text that a spreadsheet would run as a formula gets a leading `'`. */
function field(value: string | number): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
