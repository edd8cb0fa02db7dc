import { ADDRESS_POOL } from '../records/arbitrary-fields.ts'

export interface NastyCase {
  /** What the request attempts, or the mistake that it would reveal. */
  because: string
  method?: string
  path: string
  rawQuery?: string
  headers?: Record<string, string>
  status: 200 | 400 | 404 | 405
}

const USER = ADDRESS_POOL[2]
const HASH = `0x${'1a'.repeat(32)}`
const TOKENS = '/v1/token-events'
const userPath = (address: string) => `/v1/user-events/${address}`

/**
 * Texts that would take effect if they were inserted into an expression, a command, a template or a page without
 * escaping.
 */
const FRAGMENTS: [because: string, text: string][] = [
  ['ends a key condition of DynamoDB', `${USER} OR #list <> :list`],
  ['names a placeholder of our own expressions', ':list'],
  ['names a list of the table', `user#${USER}@polygon`],
  ['names the bookkeeping of the indexer', 'checkpoints'],
  ['is a path out of a folder', '../../../../etc/passwd'],
  ['is markup with a script', '<script>alert(1)</script>'],
  ['is markup in an attribute', `"><img src=x onerror=alert(1)>`],
  ['ends the address of a Link header', `>; rel="next", <https://example.org`],
  ['begins a header of its own', `x\r\nSet-Cookie: a=b`],
  ['looks like text in JSON', `","status":200,"x":"`],
]

const padded = (text: string) => encodeURIComponent(text + 'z'.repeat(66))

const inPath = ([because, text]: [string, string]): NastyCase => ({
  because: `the address ${because}`,
  path: userPath(padded(text)),
  status: 200,
})

const ofTokens = (because: string, rawQuery: string, status: 200 | 400): NastyCase => ({
  because,
  path: TOKENS,
  rawQuery,
  status,
})

const nowhere = (because: string, path: string): NastyCase => ({ because, path, status: 404 })

const inQuery = ([because, text]: [string, string]): NastyCase[] => [
  ofTokens(`a hash ${because}`, `transactionHash=${padded(text)}`, 200),
  ofTokens(`a kind ${because}`, `event=${encodeURIComponent(text)}`, 400),
  { ...ofTokens(`a limit ${because}`, `limit=${encodeURIComponent(text)}`, 400), path: userPath(USER) },
  ofTokens(`a cursor ${because}`, `cursor=${encodeURIComponent(text)}`, 400),
  ofTokens(`a name ${because}`, `${encodeURIComponent(text)}=1`, 400),
]

const ADDRESSES: [because: string, address: string][] = [
  ['a slash that is encoded is a part of the address', `${'a'.repeat(25)}%2F${'b'.repeat(25)}`],
  ['an address that is encoded twice is decoded once', `${'a'.repeat(25)}%252F${'b'.repeat(25)}`],
  ['an encoded question mark begins no query', `${'a'.repeat(42)}%3Flimit=0`],
  ['an encoded number sign begins no fragment', `${'a'.repeat(42)}%23x`],
  ['an address that ends with a line break is none, though it looks like one', `${USER}%0A`],
  ['blanks around an address make it none', `%20${USER}%20`],
]

const QUERIES: [because: string, rawQuery: string, status: 200 | 400][] = [
  ['a known name given a thousand times is one problem', Array(900).fill('limit=5').join('&'), 400],
  ['a name of 6,000 letters is compared with those that exist', `${'x'.repeat(6000)}=1`, 400],
  ['an overlong form of a slash is not UTF-8', 'event=%c0%af', 400],
  ['half a surrogate pair, as some encoders write it, is not UTF-8', 'event=%ed%a0%80', 400],
  ['an encoded name is the name', '%6c%69%6d%69%74=1', 200],
  ['brackets make no list', 'limit[]=5', 400],
  ['brackets make no object', 'blockNumber[$gt]=1', 400],
  ['semicolons once separated parameters', 'limit=5;skip=1', 400],
  [
    'every filter at once reads many lists, or none',
    `address=${USER}&from=${USER}&to=${USER}&operator=${USER}&transactionHash=${HASH}&blockNumber=1&event=TransferSingle`,
    200,
  ],
]

const HEADERS: [because: string, headers: Record<string, string>][] = [
  ['thousands of tags are looked through', { 'if-none-match': '"a",'.repeat(1500) }],
  ['quotation marks that never close', { 'if-none-match': '"'.repeat(4001) }],
  ['thousands of codings are looked through', { 'accept-encoding': 'gzip;q=0.1,'.repeat(600) }],
  ['a quality that is not a number', { 'accept-encoding': 'br;q=NaN, gzip;q=-1' }],
  ['a caller who accepts no coding at all', { 'accept-encoding': '*;q=0, identity;q=0' }],
  ['a caller can name another host', { 'x-forwarded-host': 'example.org', forwarded: 'host=example.org' }],
  ['a method is not taken from a header', { 'x-http-method-override': 'DELETE' }],
  ['a request for a part of the body', { range: 'bytes=0-9' }],
]

export const NASTY_CASES: NastyCase[] = [
  ...FRAGMENTS.flatMap(pair => [inPath(pair), ...inQuery(pair)]),
  ...ADDRESSES.map(([because, address]) => ({ because, path: userPath(address), status: 200 as const })),
  ...QUERIES.map(row => ofTokens(...row)),
  ...HEADERS.map(([because, headers]) => ({ ...ofTokens(because, 'limit=20', 200), headers })),
  { ...ofTokens('a tag that names everything', 'limit=0', 400), headers: { 'if-none-match': '*' } },
  nowhere('a dot segment that is encoded leads nowhere', '/v1/token-events%2F..%2Fuser-events'),
  nowhere('markup in a path is not repeated in the answer', '/%3Cscript%3Ealert(1)%3C/script%3E'),
  nowhere('another version', '/v2/token-events'),
  nowhere('names of endpoints have one spelling', '/V1/Token-Events'),
  { because: 'no request can write', method: 'POST', path: TOKENS, status: 405 },
  { because: 'no request can delete', method: 'DELETE', path: userPath(USER), status: 405 },
]

const thousandsOf = (value: unknown) =>
  Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, value]))

/** Payloads that are not valid queries, with what is wrong with each of them. */
export const NASTY_PAYLOADS: [because: string, payload: unknown][] = [
  ['a prototype instead of a query', JSON.parse('{"query":{"__proto__":{"limit":"1"}}}')],
  ['a prototype of the payload', JSON.parse('{"__proto__":{"query":{}}}')],
  ['NaN instead of a number', { query: { limit: Number.NaN } }],
  ['a huge number', { query: { skip: 1e308 } }],
  [
    'a token id with so many zeros that a pattern that backtracks would never end',
    { query: { address: USER, tokenId: `${'0'.repeat(100_000)}g` } },
  ],
  [
    'as many zeros in a fraction of a second',
    { query: { fromTime: `2024-04-01T12:00:00.${'0'.repeat(100_000)}1Z` } },
  ],
  ['thousands of values', { query: { blockNumber: Array(20_000).fill(1) } }],
  ['thousands of names', { query: thousandsOf('1') }],
  ['thousands of names with null values', { query: thousandsOf(null) }],
  ['a list nested 2,000 times', { query: { limit: JSON.parse('['.repeat(2_000) + ']'.repeat(2_000)) } }],
  ['half of a surrogate pair', { query: { event: '\ud800' } }],
  ['a field of our own making', { http: { method: 'GET', path: '/v1/token-events' } }],
  ['another field of our own making', { direct: { query: {} } }],
]
