import * as z from 'zod/mini'
import { MAX_COUNT } from '../../../lib/query/parameters.ts'

interface Form {
  example: string
  pattern?: string
}

export const header = (id: string, description: string, form: Form) =>
  described(textOf(form), { id, description, example: form.example })

export const optionalHeader = (id: string, description: string, form: Form) =>
  described(z.optional(textOf(form)), { id, description, example: form.example })

const textOf = ({ pattern }: Form) =>
  pattern === undefined ? z.string() : z.string().check(z.regex(new RegExp(pattern)))

function described(
  schema: z.ZodMiniType,
  { example, ...header }: { id: string; description: string; example: string },
) {
  z.globalRegistry.add(schema, { header, override: { examples: [example] } })
  return schema
}

const HEADERS = {
  'X-Request-Id': header(
    'RequestId',
    'The request’s id, as the logs have it. Name it when you report a problem.',
    { example: '8b0c1e6e-3a57-4c0f-9a53-2f3f6c1d9b11' },
  ),
  'Access-Control-Allow-Origin': header('AllowOrigin', 'Pages of any origin may read the answer.', {
    example: '*',
    pattern: '^\\*$',
  }),
  Vary: header(
    'Vary',
    'The answer has the format that `Accept` prefers, unless `format` names one, and is coded as `Accept-Encoding` wants it: `br`, `gzip` or not at all.',
    { example: 'Accept, Accept-Encoding', pattern: '^Accept, Accept-Encoding$' },
  ),
  'Cache-Control': header(
    'CacheControl',
    'How long the answer may be kept: seconds where events can still be added, an hour where neither they nor a reorganisation of the chain can change it, never (`no-store`) for errors and partial pages.',
    { example: 'public, max-age=5', pattern: '^(no-store|public, max-age=[0-9]+)$' },
  ),
  ETag: header(
    'EntityTag',
    'Names exactly this answer in this coding, its links included. Send it as `If-None-Match` to be told `304` while nothing has changed.',
    { example: '"Rm9ydHkgdHdvIGV2ZW50cw-br"', pattern: '^"[\\w-]+"$' },
  ),
  'Content-Encoding': optionalHeader('ContentEncoding', 'How the body is coded; absent where it is not.', {
    example: 'br',
    pattern: '^(br|gzip)$',
  }),
  Link: optionalHeader(
    'Link',
    'Where the next page is (RFC 8288). Present exactly when at least one more record follows, or the page is partial; without it, this is the end.',
    {
      example: '<https://events.example.org/v1/token-events?limit=50&cursor=bFh1c1Ix>; rel="next"',
      pattern: '^<[^<>]+>; rel="next"$',
    },
  ),
  'X-Partial': optionalHeader(
    'Partial',
    'Given when reading stopped early, so that the page is short and yet not the end: go on by `Link`. Ordinary requests never meet this.',
    { example: 'true', pattern: '^true$' },
  ),
  'X-Indexed-Through': optionalHeader(
    'IndexedThrough',
    'Up to which block, and which block time, the events of each network are known. Absent where nobody keeps count, where it could not be read in time, and where no event can match.',
    {
      example: 'base=34160634@2025-08-13T10:20:15Z, polygon=75190000@2025-08-13T10:20:12Z',
      pattern: '^[a-z-]+=[0-9]+@[^ ,]+(, [a-z-]+=[0-9]+@[^ ,]+)*$',
    },
  ),
  'X-Finalized-Through': optionalHeader(
    'FinalizedThrough',
    'With `finalized=true`: up to which block, and which block time, the events of each network are final. Absent where no indexer tells, and where no event can match.',
    {
      example: 'base=34158834@2025-08-13T09:20:15Z, polygon=75188200@2025-08-13T09:20:12Z',
      pattern: '^[a-z-]+=[0-9]+@[^ ,]+(, [a-z-]+=[0-9]+@[^ ,]+)*$',
    },
  ),
  'X-Total-Count': optionalHeader(
    'TotalCount',
    'With `count=true`: how many records match, whatever part of them the page is.',
    { example: '1234', pattern: '^[0-9]+$' },
  ),
  'X-Total-Count-At-Least': optionalHeader(
    'TotalCountAtLeast',
    `With \`count=true\`, in place of \`X-Total-Count\` where not all were counted: so many records match, and perhaps more. ${MAX_COUNT} where there are more than that; less only where the count’s own share of the reading budget ran out before.`,
    { example: String(MAX_COUNT), pattern: '^[0-9]+$' },
  ),
  'X-Unmatchable': optionalHeader(
    'Unmatchable',
    'The parameters whose value no event can have, because it is no address or no hash; the address in the path is called `address`. They are in alphabetical order. A parameter with several values is among them only where none of the values can match. An empty page without the header says that nothing matching has happened.',
    { example: 'address, from', pattern: '^[a-zA-Z]+(, [a-zA-Z]+)*$' },
  ),
  'Server-Timing': header(
    'ServerTiming',
    'What the answer has cost: milliseconds in total, and reads of the table.',
    {
      example: 'total;dur=12.3, store;desc="1 calls, 1 round trips, 50 rows, 6.5 read units, 41000 bytes"',
    },
  ),
  Allow: header('Allow', 'The methods of this path.', {
    example: 'GET, HEAD, OPTIONS',
    pattern: '^GET, HEAD, OPTIONS$',
  }),
  'Retry-After': header('RetryAfter', 'Seconds to wait before the next attempt.', {
    example: '2',
    pattern: '^[0-9]+$',
  }),
}

export type HeaderName = keyof typeof HEADERS

const ALWAYS: HeaderName[] = ['X-Request-Id', 'Access-Control-Allow-Origin', 'Vary', 'Cache-Control']

/** The headers of an answer: those that every answer has, and those named here. */
export const describeHeaders = (...names: HeaderName[]) =>
  z.object(Object.fromEntries([...ALWAYS, ...names].map(name => [name, HEADERS[name]])))
