import { HeaderChangedError } from './client-errors.ts'
import { type AnswerHeaders, type PageHeaders, readAnswerHeaders, readPageHeaders } from './page-headers.ts'
import type { RequestTarget } from './query.ts'
import type { Answer, CallOptions, Wanted } from './send.ts'

export type ExportFormat = 'csv' | 'ndjson'

export interface ExportOptions extends CallOptions {
  format: ExportFormat
  /** The `header` of the earlier parts, if the export is resumed. */
  header?: string | undefined
}

/**
 * A part of an export. The whole export is the concatenated text of all parts. Store `next` with each part, so that the
 * export can be interrupted at any moment. To resume the export, send the last `next` as the query's `cursor`.
 */
export interface ExportPart extends Pick<PageHeaders, 'next'>, AnswerHeaders {
  /** The header line of the CSV. Set in every part, although only the first part's `text` contains the line. */
  header: string | undefined
  /** Whole lines. Empty for a partial page without records. */
  text: string
  records: number
  /** The number of matching records. Set only in the first part, and only if the query has no cursor. */
  total: number | undefined
  /** The minimum number of matching records. Set instead of `total` if the service stopped counting early. */
  totalAtLeast: number | undefined
}

/** The maximum page size of the service. */
const PAGE = 500

const LINES: Wanted<string> = {
  accept: 'application/x-ndjson',
  name: 'events',
  // An empty page has an empty body. A gateway might also send an empty body, so the media type must match too.
  read: (text, headers) =>
    headers.get('content-type')?.startsWith(LINES.accept) && (text === '' || text.endsWith('\n'))
      ? text
      : undefined,
}
const CSV: Wanted<string> = {
  accept: 'text/csv',
  name: 'events',
  read: text => (text.startsWith('event,id,') && text.endsWith('\r\n') ? text : undefined),
}

/**
 * If the query has a `cursor`, the CSV has no header line, because an earlier part of the export contains it. Throws
 * `HeaderChangedError` if a page's header differs from the earlier parts' header, because the page's rows then have
 * different columns.
 */
export async function* exportPages(
  ask: (target: RequestTarget, wanted: Wanted<string> & CallOptions) => Promise<Answer<string>>,
  { path, query }: RequestTarget,
  { format, header: given, ...called }: ExportOptions,
): AsyncGenerator<ExportPart, void, undefined> {
  const isCsv = format === 'csv'
  let { cursor } = query
  let header = given
  let isFirst = cursor === undefined
  do {
    const { limit = PAGE } = query
    const asked = { ...query, limit, cursor, count: isFirst || undefined }
    const { headers, body } = await ask({ path, query: asked }, { ...called, ...(isCsv ? CSV : LINES) })
    const { next, total, totalAtLeast } = readPageHeaders(headers)
    const found = isCsv ? body.slice(0, body.indexOf('\r\n')) : undefined
    header ??= found
    if (header !== found)
      throw new HeaderChangedError('The CSV columns have changed, so the export must begin again')
    const text = isCsv && !isFirst ? withoutHeader(body) : body
    const records = isCsv ? recordsInCsv(body) : body.split('\n').length - 1
    yield { header, text, records, next, total, totalAtLeast, ...readAnswerHeaders(headers) }
    cursor = next
    isFirst = false
  } while (cursor !== undefined)
}

const withoutHeader = (csv: string) => csv.slice(csv.indexOf('\r\n') + 2)

/** Counts distinct ids, because a record may have several rows. */
function recordsInCsv(csv: string): number {
  // Only quoted fields contain line breaks, and the id comes before all quoted fields in a row. Quotes within a field
  // are doubled, so removing quoted text also removes the doubled quotes.
  const rows = withoutHeader(csv)
    .replace(/"[^"]*"/g, '')
    .split('\r\n')
    .slice(0, -1)
  return new Set(rows.map(row => row.split(',', 2)[1])).size
}
