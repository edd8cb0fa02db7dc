import * as z from 'zod/mini'
import { MAX_COUNT } from '../../query/parameters.ts'

interface Form {
  example: string
  pattern?: string
}

export const meaning = <Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema =>
  (schema as z.ZodMiniType).register(z.globalRegistry, { description }) as Schema

export const header = (id: string, description: string, form: Form, schema: z.ZodMiniType = textOf(form)) =>
  schema.register(z.globalRegistry, { header: { id, description }, override: { examples: [form.example] } })

export const optionalHeader = (id: string, description: string, form: Form) =>
  header(id, description, form, z.optional(textOf(form)))

const textOf = ({ pattern }: Form) =>
  pattern === undefined ? z.string() : z.string().check(z.regex(new RegExp(pattern)))

const blocksHeader = (id: string, description: string, example: string) =>
  optionalHeader(id, description, {
    example,
    pattern: '^[a-z-]+=[0-9]+@[^ ,]+(, [a-z-]+=[0-9]+@[^ ,]+)*$',
  })

const HEADERS = {
  'X-Request-Id': header(
    'RequestId',
    'The id of the request in the logs. Include it when you report a problem.',
    { example: '8b0c1e6e-3a57-4c0f-9a53-2f3f6c1d9b11' },
  ),
  // API Gateway sends its own CORS headers instead of the function's, and only in answers to requests with `Origin`.
  'Access-Control-Allow-Origin': optionalHeader(
    'AllowOrigin',
    'Web pages of any origin may read the answer. A gateway may send this header only in answers to web pages of another origin.',
    { example: '*', pattern: '^\\*$' },
  ),
  Vary: header(
    'Vary',
    'The format of the answer depends on `Accept`, unless `format` names one. The compression depends on `Accept-Encoding`: `br`, `gzip` or none.',
    { example: 'Accept, Accept-Encoding', pattern: '^Accept, Accept-Encoding$' },
  ),
  'Cache-Control': header(
    'CacheControl',
    'How long a cache may keep the answer: an hour if neither added events nor a reorganisation of the chain can change the answer, and otherwise a few seconds. Errors, partial pages and pages of `/v1/changes` are never cached (`no-store`). Answers to requests with `Authorization` are `private`.',
    { example: 'public, max-age=5', pattern: '^(no-store|(public|private), max-age=[0-9]+)$' },
  ),
  ETag: header(
    'EntityTag',
    'Identifies exactly this answer in this compression, including its links. If you send the tag as `If-None-Match`, the answer is `304` as long as nothing has changed.',
    { example: '"Rm9ydHkgdHdvIGV2ZW50cw-br"', pattern: '^"[\\w-]+"$' },
  ),
  'Content-Encoding': optionalHeader(
    'ContentEncoding',
    'The compression of the body. Absent if the body is not compressed.',
    { example: 'br', pattern: '^(br|gzip)$' },
  ),
  Link: optionalHeader(
    'Link',
    'The address of the next page (RFC 8288). Present exactly when at least one more record follows or the page is partial, so a page without `Link` is the last.',
    {
      example: '<https://events.example.org/v1/token-events?limit=50&cursor=bFh1c1Ix>; rel="next"',
      pattern: '^<[^<>]+>; rel="next"$',
    },
  ),
  'X-Partial': optionalHeader(
    'Partial',
    'Present when reading stopped early, at a limit of cost, time or size. The page may be short, and more records may follow: continue with `Link`. Ordinary requests never reach these limits.',
    { example: 'true', pattern: '^true$' },
  ),
  'X-Indexed-Through': blocksHeader(
    'IndexedThrough',
    'For each network, the last block up to which all events are indexed, with the time of the block. Absent if no indexer writes to the table, if no event can match, or if the service could not read it in time.',
    'base=34160634@2025-08-13T10:20:15Z, polygon=75190000@2025-08-13T10:20:12Z',
  ),
  'X-Audited-Through': blocksHeader(
    'AuditedThrough',
    'For each network, the last block up to which an audit has proven the events complete and equal to the chain’s, with the time of the block. A network is left out if no audit has proven its events.',
    'base=34158000@2025-08-13T08:52:27Z',
  ),
  'X-Finalized-Through': blocksHeader(
    'FinalizedThrough',
    'With `finalized=true`: the last final block of each network, with the time of the block. Absent if no indexer reports final blocks, or if no event can match.',
    'base=34158834@2025-08-13T09:20:15Z, polygon=75188200@2025-08-13T09:20:12Z',
  ),
  'X-Total-Count': optionalHeader(
    'TotalCount',
    'With `count=true`: the number of all matching records, on every page.',
    { example: '1234', pattern: '^[0-9]+$' },
  ),
  'X-Total-Count-At-Least': optionalHeader(
    'TotalCountAtLeast',
    `With \`count=true\`: sent instead of \`X-Total-Count\` if not all records were counted. At least this many records match. The value is ${MAX_COUNT}, unless the count’s own share of the reading budget ran out earlier.`,
    { example: String(MAX_COUNT), pattern: '^[0-9]+$' },
  ),
  'X-Unmatchable': optionalHeader(
    'Unmatchable',
    'An alphabetical list of the parameters that no event can match, because their value is a malformed address or hash. The address in the path is called `address`. A parameter with several values is listed only if none of them can match. If a page is empty and this header is absent, no matching event exists.',
    { example: 'address, from', pattern: '^[a-zA-Z]+(, [a-zA-Z]+)*$' },
  ),
  'Server-Timing': header(
    'ServerTiming',
    'The cost of the answer: milliseconds in total, and reads of the table.',
    { example: 'total;dur=12.3, store;desc="1 calls, 1 round trips, 50 rows, 6.5 read units, 41000 bytes"' },
  ),
  Allow: header('Allow', 'The methods that this path supports.', {
    example: 'GET, HEAD, OPTIONS',
    pattern: '^GET, HEAD, OPTIONS$',
  }),
  'Retry-After': header('RetryAfter', 'The number of seconds to wait before the next attempt.', {
    example: '2',
    pattern: '^[0-9]+$',
  }),
}

export type HeaderName = keyof typeof HEADERS

const ALWAYS: HeaderName[] = ['X-Request-Id', 'Access-Control-Allow-Origin', 'Vary', 'Cache-Control']

export const describeHeaders = (...names: HeaderName[]) =>
  z.object(Object.fromEntries([...ALWAYS, ...names].map(name => [name, HEADERS[name]])))
