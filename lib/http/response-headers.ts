import { MAX_COUNT } from '../query/budget.ts'

/** Web pages of other origins may read these headers. The names are in alphabetical order. */
export const EXPOSED_HEADERS = [
  'Allow',
  'ETag',
  'Link',
  'Retry-After',
  'Server-Timing',
  'X-Audited-Through',
  'X-Finalized-Through',
  'X-Indexed-Through',
  'X-Partial',
  'X-Request-Id',
  'X-Total-Count',
  'X-Total-Count-At-Least',
  'X-Unmatchable',
] as const

/** Web pages can always read `Cache-Control`, and do not need the other three headers. */
type UnexposedHeader = 'Access-Control-Allow-Origin' | 'Cache-Control' | 'Content-Encoding' | 'Vary'
type HeaderName = (typeof EXPOSED_HEADERS)[number] | UnexposedHeader

const ALL = ['page', 'changes', 'status', 'problem'] as const

export type AnswerKind = (typeof ALL)[number]

export interface ResponseHeader {
  /** The name in the OpenAPI document. By default, the header's name without `X`, `Access-Control` and hyphens. */
  id?: string
  /**
   * The kinds of answers that can contain the header. The rows of `PROBLEMS` name the headers of individual problems.
   */
  answers: readonly AnswerKind[]
  /** Whether all of these answers contain the header, rather than only some. */
  isRequired?: true
  description: string
  value: { example: string; pattern?: string }
}

const BLOCKS = '^[a-z-]+=[0-9]+@[^ ,]+(, [a-z-]+=[0-9]+@[^ ,]+)*$'

/**
 * Returns the headers in the order of the OpenAPI document. This is a function, so that bundles without that document
 * omit the texts.
 */
export const responseHeaders = (): Record<HeaderName, ResponseHeader> => ({
  'X-Request-Id': {
    answers: ALL,
    isRequired: true,
    description: 'The id of the request in the logs. Include it when you report a problem.',
    value: { example: '8b0c1e6e-3a57-4c0f-9a53-2f3f6c1d9b11' },
  },
  // API Gateway sends its own CORS headers instead of the function's, and only in answers to requests with `Origin`.
  'Access-Control-Allow-Origin': {
    answers: ALL,
    description:
      'Web pages of any origin may read the answer. Some gateways send this header only in answers to web pages of another origin.',
    value: { example: '*', pattern: '^\\*$' },
  },
  Vary: {
    answers: ALL,
    isRequired: true,
    description:
      'The format of the answer depends on `Accept`, unless the parameter `format` sets it. The compression depends on `Accept-Encoding`: `br`, `gzip` or none.',
    value: { example: 'Accept, Accept-Encoding', pattern: '^Accept, Accept-Encoding$' },
  },
  'Cache-Control': {
    answers: ALL,
    isRequired: true,
    description:
      'How long a cache may keep the answer: an hour if neither added events nor a reorganisation of the chain can change the answer, and otherwise a few seconds. Errors, partial pages and pages of `/v1/changes` are never cached (`no-store`). Answers to requests with `Authorization` are `private`.',
    value: { example: 'public, max-age=5', pattern: '^(no-store|(public|private), max-age=[0-9]+)$' },
  },
  ETag: {
    id: 'EntityTag',
    answers: ['page', 'changes', 'status'],
    isRequired: true,
    description:
      'Identifies exactly this answer, including its links, in this compression. If you send the tag as `If-None-Match`, the answer is `304` as long as nothing has changed.',
    value: { example: '"Rm9ydHkgdHdvIGV2ZW50cw-br"', pattern: '^"[\\w-]+"$' },
  },
  Link: {
    answers: ['page'],
    description:
      'The address of the next page (RFC 8288). Present exactly when at least one more record follows or the page is partial, so a page without `Link` is the last.',
    value: {
      example: '<https://events.example.org/v1/token-events?limit=50&cursor=bFh1c1Ix>; rel="next"',
      pattern: '^<[^<>]+>; rel="next"$',
    },
  },
  'X-Partial': {
    answers: ['page', 'changes'],
    description:
      'Present if the service stopped reading early, at a limit of cost, time or size. The page may be short, and more records may follow: continue with `Link`. Ordinary requests never reach these limits.',
    value: { example: 'true', pattern: '^true$' },
  },
  'X-Total-Count': {
    answers: ['page'],
    description: 'With `count=true`: the number of all matching records, on every page.',
    value: { example: '1234', pattern: '^[0-9]+$' },
  },
  'X-Total-Count-At-Least': {
    answers: ['page'],
    description: `With \`count=true\`: sent instead of \`X-Total-Count\` if not all records were counted. At least this many records match. The value is ${MAX_COUNT}, or lower if counting first reached its own limit of cost or time.`,
    value: { example: String(MAX_COUNT), pattern: '^[0-9]+$' },
  },
  'X-Indexed-Through': {
    answers: ['page', 'changes'],
    description:
      'For each network, the last block up to which all events are indexed, with the time of the block. Absent if no indexer writes to the table, if no event can match, or if the service could not read these blocks in time.',
    value: {
      example: 'base=34160634@2025-08-13T10:20:15Z, polygon=75190000@2025-08-13T10:20:12Z',
      pattern: BLOCKS,
    },
  },
  'X-Audited-Through': {
    answers: ['page', 'changes'],
    description:
      'For each network, the last block up to which an audit has proven the events complete and equal to the chain’s, with the time of the block. A network is omitted if no audit has proven its events.',
    value: { example: 'base=34158000@2025-08-13T08:52:27Z', pattern: BLOCKS },
  },
  'X-Finalized-Through': {
    answers: ['page', 'changes'],
    description:
      'With `finalized=true`: the last final block of each network, with the time of the block. Absent if no indexer reports final blocks, or if no event can match.',
    value: {
      example: 'base=34158834@2025-08-13T09:20:15Z, polygon=75188200@2025-08-13T09:20:12Z',
      pattern: BLOCKS,
    },
  },
  'X-Unmatchable': {
    answers: ['page', 'changes'],
    description:
      'An alphabetical list of the parameters whose value is a malformed address or hash, which no event can match. The address in the path is called `address`. A parameter with several values is listed only if none of them can match. An empty page with neither this header nor `Link` means that nothing matches.',
    value: { example: 'address, from', pattern: '^[a-zA-Z]+(, [a-zA-Z]+)*$' },
  },
  'Server-Timing': {
    answers: ['page', 'changes'],
    isRequired: true,
    description: 'The cost of the answer: milliseconds in total, and reads of the table.',
    value: {
      example: 'total;dur=12.3, store;desc="1 calls, 1 round trips, 50 rows, 6.5 read units, 41000 bytes"',
    },
  },
  Allow: {
    answers: [],
    isRequired: true,
    description: 'The methods that this path supports.',
    value: { example: 'GET, HEAD, OPTIONS', pattern: '^GET, HEAD, OPTIONS$' },
  },
  'Retry-After': {
    answers: [],
    isRequired: true,
    description: 'The number of seconds to wait before the next attempt.',
    value: { example: '2', pattern: '^[0-9]+$' },
  },
  'Content-Encoding': {
    answers: ALL,
    description: 'The compression of the body. Absent if the body is not compressed.',
    value: { example: 'br', pattern: '^(br|gzip)$' },
  },
})
