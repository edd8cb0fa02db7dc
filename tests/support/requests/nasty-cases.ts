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

/** Every object inherits these names. A careless lookup would find a function instead of a schema. */
const PROTOTYPE_NAMES = [
  ...'prototype valueOf hasOwnProperty __defineGetter__'.split(' '),
  ...'constructor[prototype][limit] __proto__[limit]'.split(' '),
]

/**
 * Texts that would take effect if they were inserted into an expression, a command, a template or a page without
 * escaping.
 */
const FRAGMENTS: [because: string, text: string][] = [
  ['ends a key condition of DynamoDB', `${USER} OR #list <> :list`],
  ['names a placeholder of our own expressions', ':list'],
  ['names an attribute of our own expressions', '#place'],
  ['names a list of the table', `user#${USER}@polygon`],
  ['names the list of all events', 'all@ethereum'],
  ['names the bookkeeping of the indexer', 'checkpoints'],
  ['is a filter function of DynamoDB', 'attribute_exists(list)'],
  ['is PartiQL', `'; SELECT * FROM events --`],
  ['is SQL', `' OR '1'='1`],
  ['is an operator of MongoDB', '{"$gt":""}'],
  ['is a template of Java (log4shell)', `\${jndi:ldap://127.0.0.1/a}`],
  ['is a template', '{{7*7}}'],
  ['is a command', '$(sleep 5)'],
  ['is a path out of a folder', '../../../../etc/passwd'],
  ['is markup with a script', '<script>alert(1)</script>'],
  ['is markup in an attribute', `"><img src=x onerror=alert(1)>`],
  ['ends the address of a Link header', `>; rel="next", <https://example.org`],
  ['begins a header of its own', `x\r\nSet-Cookie: a=b`],
  ['looks like text in JSON', `","status":200,"x":"`],
]

const UNICODE: [because: string, text: string][] = [
  ['is the byte zero', '\u0000'],
  ['contains a zero byte, where C ends a string', `${USER}\u0000.png`],
  ['contains C0 controls', '\u0001\u0007\b\u001b[31m'],
  ['contains C1 controls', '\u0080\u009f'],
  ['reverses the direction of writing', '\u202egpj.exe'],
  ['contains invisible characters', '\u200b\u200d\ufeff'],
  ['mixes two normal forms', 'e\u0301é'],
  ['grows when it is put in lower case', 'İ'.repeat(20)],
  ['grows when it is put in upper case', 'ß'.repeat(20)],
  ['lies beyond the basic plane', '𝔹😀👩‍👩‍👧‍👦'],
  ['is one letter with a thousand marks', `a${'\u0301'.repeat(1000)}`],
  ['has digits of another script', '٣٣٣'],
  ['has full-width digits', '５'],
  ['has a Cyrillic letter that looks Latin', `0х${'ab'.repeat(20)}`],
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

const inQuery = ([because, text]: [string, string]): NastyCase[] => [
  ofTokens(`a hash ${because}`, `transactionHash=${padded(text)}`, 200),
  ofTokens(`a kind ${because}`, `event=${encodeURIComponent(text)}`, 400),
  { ...ofTokens(`a limit ${because}`, `limit=${encodeURIComponent(text)}`, 400), path: userPath(USER) },
  ofTokens(`a cursor ${because}`, `cursor=${encodeURIComponent(text)}`, 400),
  ofTokens(`a name ${because}`, `${encodeURIComponent(text)}=1`, 400),
]

const names = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&')

const ADDRESSES: [because: string, address: string, status: 200 | 400][] = [
  ['DynamoDB takes keys of up to 2,048 bytes', 'a'.repeat(3000), 200],
  ['0x and too many digits are no address', `0x${'ab'.repeat(2000)}`, 200],
  ['three bytes a letter count against the limit of keys too', encodeURIComponent('語'.repeat(700)), 200],
  ['an address in capitals is the same address', `0x${USER.slice(2).toUpperCase()}`, 200],
  ['an X in capitals is the same X', `0X${USER.slice(2)}`, 200],
  ['a slash that is encoded is a part of the address', `${'a'.repeat(25)}%2F${'b'.repeat(25)}`, 200],
  ['an address that is encoded twice is decoded once', `${'a'.repeat(25)}%252F${'b'.repeat(25)}`, 200],
  ['an encoded question mark begins no query', `${'a'.repeat(42)}%3Flimit=0`, 200],
  ['an encoded number sign begins no fragment', `${'a'.repeat(42)}%23x`, 200],
  ['an address that ends with a line break is none, though it looks like one', `${USER}%0A`, 200],
  ['blanks around an address make it none', `%20${USER}%20`, 200],
  ['a short address is refused', '0x0', 400],
]

const QUERIES: [because: string, rawQuery: string, status: 200 | 400][] = [
  ['a hash has no greatest length', `transactionHash=0x${'0'.repeat(6000)}`, 200],
  ['a limit may have any number of digits', `limit=${'9'.repeat(6000)}`, 200],
  ['leading zeros are fine, however many', `limit=${'0'.repeat(6000)}1`, 200],
  ['a skip of thousands of digits is refused', `skip=${'9'.repeat(6000)}`, 400],
  [
    'the largest skip that JavaScript counts exactly reads to the end and no further',
    `skip=${Number.MAX_SAFE_INTEGER}`,
    200,
  ],
  ['a cursor is decoded before it is known to be one', `cursor=${'A'.repeat(6000)}`, 400],
  ['a thousand unknown names must not become an answer a hundred times as long', names(900), 400],
  ['a known name given a thousand times is one problem', Array(900).fill('limit=5').join('&'), 400],
  ['blockNumber may be given twice, not a thousand times', Array(500).fill('blockNumber=1').join('&'), 400],
  ['a name of 6,000 letters is compared with those that exist', `${'x'.repeat(6000)}=1`, 400],
  ['separators alone are no parameters', '&'.repeat(3000), 200],
  ['a query of equals signs is a parameter without a name', '='.repeat(3000), 400],
  ['bytes that are not UTF-8 are not a kind', 'event=%ff%fe', 400],
  ['an overlong form of a slash is not UTF-8', 'event=%c0%af', 400],
  ['half a surrogate pair, as some encoders write it, is not UTF-8', 'event=%ed%a0%80', 400],
  ['a percent sign without digits stands for itself', 'event=%', 400],
  ['an encoded name is the name', '%6c%69%6d%69%74=1', 200],
  ['brackets make no list', 'limit[]=5', 400],
  ['brackets make no object', 'blockNumber[$gt]=1', 400],
  ['a comma makes no list of a single value', 'limit=5,6', 400],
  ['two spellings of one name are two names', 'limit=5&LIMIT=6', 400],
  ['semicolons once separated parameters', 'limit=5;skip=1', 400],
  ['a format names no property of an object', 'format=constructor', 400],
  ['the second value of a name must not replace the first', 'limit=5&limit=0', 400],
  ['a cursor and a skip contradict each other', 'cursor=AAAA&skip=0', 400],
  ['filters that exclude each other are a valid query', `creator=${USER}&from=${USER}&owner=${USER}`, 200],
  [
    'every filter at once reads many lists, or none',
    `address=${USER}&from=${USER}&to=${USER}&operator=${USER}&transactionHash=${HASH}&blockNumber=1&event=TransferSingle`,
    200,
  ],
]

const HEADERS: [because: string, headers: Record<string, string>, rawQuery: string, status: 200 | 400][] = [
  [
    'Accept is ignored if the parameter format is given',
    { accept: 'image/png;q=1, */*;q=0' },
    'format=csv&limit=1',
    200,
  ],
  ['a tag that names everything', { 'if-none-match': '*' }, 'limit=0', 400],
  ['thousands of tags are looked through', { 'if-none-match': '"a",'.repeat(1500) }, 'limit=1', 200],
  ['quotation marks that never close', { 'if-none-match': '"'.repeat(4001) }, 'limit=1', 200],
  [
    'thousands of codings are looked through',
    { 'accept-encoding': 'gzip;q=0.1,'.repeat(600) },
    'limit=1',
    200,
  ],
  ['a quality that is not a number', { 'accept-encoding': 'br;q=NaN, gzip;q=-1' }, 'limit=20', 200],
  ['a caller who accepts no coding at all', { 'accept-encoding': '*;q=0, identity;q=0' }, 'limit=20', 200],
  [
    'a caller can name another host',
    { 'x-forwarded-host': 'example.org', forwarded: 'host=example.org' },
    'limit=1',
    200,
  ],
  ['a method is not taken from a header', { 'x-http-method-override': 'DELETE' }, 'limit=1', 200],
  [
    'a header can have the name of an inherited property',
    { constructor: 'x', tostring: 'y' },
    'limit=1',
    200,
  ],
  ['a request for a part of the body', { range: 'bytes=0-9' }, 'limit=20', 200],
]

export const NASTY_CASES: NastyCase[] = [
  ...[...FRAGMENTS, ...UNICODE].flatMap(pair => [inPath(pair), ...inQuery(pair)]),
  ...PROTOTYPE_NAMES.map(name =>
    ofTokens(`every object has a property ${name}`, `${encodeURIComponent(name)}=1`, 400),
  ),
  ...['__proto__', 'constructor', 'toString'].flatMap((value): NastyCase[] => [
    ofTokens(`every object has a property ${value}, but no kind is called so`, `event=${value}`, 400),
    {
      because: `every object has a property ${value}, but no network is called so`,
      path: userPath(USER),
      rawQuery: `network=${value}`,
      status: 400,
    },
  ]),
  ...ADDRESSES.map(([because, address, status]) => ({ because, path: userPath(address), status })),
  ...QUERIES.map(row => ofTokens(...row)),
  ...HEADERS.map(([because, headers, rawQuery, status]) => ({
    ...ofTokens(because, rawQuery, status),
    headers,
  })),
  {
    because: 'a dot segment that is encoded leads nowhere',
    path: '/v1/token-events%2F..%2Fuser-events',
    status: 404,
  },
  {
    because: 'markup in a path is not repeated in the answer',
    path: '/%3Cscript%3Ealert(1)%3C/script%3E',
    status: 404,
  },
  { because: 'another version', path: '/v2/token-events', status: 404 },
  { because: 'names of endpoints have one spelling', path: '/V1/Token-Events', status: 404 },
  { because: 'no request can write', method: 'POST', path: TOKENS, status: 405 },
  { because: 'no request can delete', method: 'DELETE', path: userPath(USER), status: 405 },
]

/** Payloads that are not valid queries. `because` says what is wrong with the payload. */
export const NASTY_PAYLOADS: { because: string; payload: unknown }[] = [
  { because: 'nothing at all', payload: undefined },
  { because: 'a string instead of an object', payload: 'x'.repeat(100_000) },
  { because: 'a list instead of an object', payload: [{ query: {} }] },
  { because: 'a prototype instead of a query', payload: JSON.parse('{"query":{"__proto__":{"limit":"1"}}}') },
  { because: 'a prototype of the payload', payload: JSON.parse('{"__proto__":{"query":{}}}') },
  { because: 'an object as a value', payload: { query: { limit: { $gt: 0 } } } },
  { because: 'a list within a list', payload: { query: { limit: [['5']] } } },
  { because: 'an empty list', payload: { query: { limit: [] } } },
  { because: 'NaN instead of a number', payload: { query: { limit: Number.NaN } } },
  { because: 'a huge number', payload: { query: { skip: 1e308 } } },
  { because: 'a fraction', payload: { query: { limit: 0.1 } } },
  {
    because: 'a token id with so many zeros that a pattern that backtracks would never end',
    payload: { query: { address: USER, tokenId: `${'0'.repeat(100_000)}g` } },
  },
  {
    because: 'as many zeros in a fraction of a second',
    payload: { query: { fromTime: `2024-04-01T12:00:00.${'0'.repeat(100_000)}1Z` } },
  },
  { because: 'thousands of values', payload: { query: { blockNumber: Array(20_000).fill(1) } } },
  {
    because: 'thousands of names',
    payload: { query: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, '1'])) },
  },
  {
    because: 'thousands of names with null values',
    payload: { query: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, null])) },
  },
  {
    because: 'a list nested 2,000 times',
    payload: { query: { limit: JSON.parse('['.repeat(2_000) + ']'.repeat(2_000)) } },
  },
  { because: 'half of a surrogate pair', payload: { query: { event: '\ud800' } } },
  { because: 'a part of an HTTP request', payload: { requestContext: null, rawPath: '/v1/token-events' } },
  { because: 'a field of our own making', payload: { http: { method: 'GET', path: '/v1/token-events' } } },
  { because: 'another field of our own making', payload: { direct: { query: {} } } },
]
