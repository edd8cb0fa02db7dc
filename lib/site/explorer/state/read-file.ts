import type { EventsClient } from '../../../client/create-events-client.ts'
import type { EventRecord } from '../../../client/records.ts'
import { isMint, occurrencesOf } from '../occurrence/occurrences-of.ts'
import { type Question, tokenIdOf } from '../question/question.ts'
import { MOST_AT_ONCE, requestOf } from '../question/request-of.ts'

interface ReadFileOptions {
  client: EventsClient
  format: 'csv' | 'ndjson'
  signal: AbortSignal
  /** `records` is the number of events read so far. */
  onRead: (records: number) => void
}

/** Returns all events of a question as the text of a file, and their number. Throws the client's errors. */
export async function readFile(question: Question, { client, format, signal, onRead }: ReadFileOptions) {
  const { endpoint, address, query } = requestOf(question, { limit: MOST_AT_ONCE })
  const options = { format, signal }
  const parts =
    endpoint === 'user-events'
      ? client.exportUserEvents(address, query, options)
      : client.exportTokenEvents(query, options)
  let [text, records] = ['', 0]
  for await (const part of parts) {
    text += part.text
    records += part.records
    onRead(records)
  }
  return { text: format === 'csv' ? markCsv(text, tokenIdOf(question)) : text, records }
}

/** A field of a CSV row and the comma or line break after it. A quoted field doubles its quotes (RFC 4180). */
const FIELD = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g

interface Row {
  text: string
  values: Readonly<Record<string, string>>
}

/**
 * Adapts the service's CSV to the view. If `tokenId` (in decimal) is given, removes the rows of other ids in the same
 * batches. Adds the column `repeats`. In the row of a mint's own event, this column contains the id of the mint's
 * transfer if the transfer is also listed. The rows with an empty `repeats` therefore contain each mint only once.
 */
export function markCsv(csv: string, tokenId?: string): string {
  const [header, ...rows] = rowsOf(csv)
  if (!header) return csv
  const repeats = repeatsIn(rows)
  const marked = rows
    .filter(({ values }) => tokenId === undefined || values.tokenId === tokenId)
    .map(({ text, values }) => `${text},${repeats.get(values.id ?? '') ?? ''}\r\n`)
  return [`${header.text},repeats\r\n`, ...marked].join('')
}

function rowsOf(csv: string): Row[] {
  const rows: Row[] = []
  let names: string[] | undefined
  let [fields, start]: [string[], number] = [[], 0]
  for (const { 1: field = '', 2: end, index, 0: whole } of csv.matchAll(FIELD)) {
    fields.push(field)
    if (end === ',') continue
    names ??= fields
    const values = Object.fromEntries(names.map((name, place) => [name, fields[place] ?? '']))
    rows.push({ text: csv.slice(start, index + field.length), values })
    ;[fields, start] = [[], index + whole.length]
  }
  return rows
}

/** Maps the id of each mint's own event to the id of its transfer, if the transfer is also listed. */
function repeatsIn(rows: readonly Row[]): ReadonlyMap<string, string> {
  const records = [...Map.groupBy(rows, ({ values }) => values.id).values()].map(recordOf)
  return new Map(
    occurrencesOf(records).flatMap(({ records: [one, other] }) => {
      if (!other) return []
      return [isMint(one) ? ([one.id, other.id] as const) : ([other.id, one.id] as const)]
    }),
  )
}

/** The record has only the fields that are needed to match mints and transfers. */
function recordOf(rows: readonly Row[]): EventRecord {
  const tokenIds = rows.flatMap(({ values }) => values.tokenId || [])
  const quantities = rows.flatMap(({ values }) => values.quantity || [])
  const { values = {} }: Partial<Row> = rows[0] ?? {}
  const [tokenId, quantity] = [tokenIds[0] ?? '', quantities[0] ?? '']
  return { ...values, logIndex: Number(values.logIndex), tokenIds, quantities, tokenId, quantity } as never
}
