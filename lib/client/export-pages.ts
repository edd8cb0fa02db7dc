import { type PlaceOfPage, placeOfPage } from './place-of-page.ts'
import type { RequestTarget } from './query.ts'
import type { Answer, Wanted } from './send.ts'

export type ExportFormat = 'csv' | 'ndjson'

export interface ExportOptions {
  format: ExportFormat
  signal?: AbortSignal | undefined
  /** For so long each page is waited for while a network is not indexed as far as `minBlock` asks for; not at all by default. */
  waitForBlockMs?: number | undefined
}

/**
 * A piece of an export. Written one behind the other, the texts are the whole. Who stores `next` with what is
 * written can stop at any moment, and go on with it as the query's `cursor`.
 */
export interface ExportPart extends Pick<PlaceOfPage, 'next'> {
  /** Whole lines; empty where reading stopped early. */
  text: string
  /** How many records are in it. */
  records: number
  /** Of the first part, unless the query has a cursor: how many records match. */
  total: number | undefined
  /** In its place, where not all were counted: so many, and perhaps more. */
  totalAtLeast: number | undefined
}

/** The most that the service returns at once. */
const PAGE = 500

const LINES: Wanted<string> = {
  accept: 'application/x-ndjson',
  name: 'events',
  read: text => (text === '' || (text.startsWith('{') && text.endsWith('\n')) ? text : undefined),
}
const CSV: Wanted<string> = {
  accept: 'text/csv',
  name: 'events',
  read: text => (text.startsWith('event,id,') && text.endsWith('\r\n') ? text : undefined),
}

/** Reads all pages of a query as text. With a `cursor` the header line of CSV is left out: it is written already. */
export async function* exportPages(
  ask: (
    target: RequestTarget,
    wanted: Wanted<string> & Omit<ExportOptions, 'format'>,
  ) => Promise<Answer<string>>,
  { path, query }: RequestTarget,
  { format, ...called }: ExportOptions,
): AsyncGenerator<ExportPart, void, undefined> {
  const isCsv = format === 'csv'
  let { cursor } = query
  let isFirst = cursor === undefined
  do {
    const { limit = PAGE } = query
    const asked = { ...query, limit, cursor, count: isFirst || undefined }
    const { headers, body } = await ask({ path, query: asked }, { ...called, ...(isCsv ? CSV : LINES) })
    const { next, total, totalAtLeast } = placeOfPage(headers)
    const text = isCsv && !isFirst ? withoutHeader(body) : body
    yield { text, records: isCsv ? recordsInCsv(body) : recordsInLines(body), next, total, totalAtLeast }
    cursor = next
    isFirst = false
  } while (cursor !== undefined)
}

const withoutHeader = (csv: string) => csv.slice(csv.indexOf('\r\n') + 2)

const recordsInLines = (lines: string) => lines.split('\n').length - 1

/** A record may have several rows, all with its id. */
function recordsInCsv(csv: string): number {
  // Only what is quoted holds ends of lines, and it stands behind the id; a quote within it is written twice.
  const rows = withoutHeader(csv)
    .replace(/"[^"]*"/g, '')
    .split('\r\n')
    .slice(0, -1)
  return new Set(rows.map(row => row.split(',', 2)[1])).size
}
