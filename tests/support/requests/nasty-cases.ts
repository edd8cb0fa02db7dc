import { ADDRESS_POOL } from '../records/arbitrary-fields.ts'

/** A request that has harmed similar services, or could harm them. */
export interface NastyCase {
  /** The attempt, or the mistake that the request would reveal. */
  because: string
  method?: string
  /** The path and query in the request line. */
  path: string
  rawQuery?: string
  headers?: Record<string, string>
  status: 200 | 400 | 404 | 405
}

const USER = ADDRESS_POOL[2]
const HASH = `0x${'1a'.repeat(32)}`
const TOKENS = '/v1/token-events'
const userPath = (address: string) => `/v1/user-events/${address}`

/** Names that every object inherits. A careless lookup finds a function instead of a schema. */
const PROTOTYPE_NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
  'constructor[prototype][limit]',
  '__proto__[limit]',
]

/** Texts that an engine's expression, a shell, a template or a page would execute if they were inserted unescaped. */
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
  ['holds a zero byte in the middle, where C ends a text', `${USER}\u0000.png`],
  ['holds the C0 controls', '\u0001\u0007\b\u001b[31m'],
  ['holds the C1 controls', '\u0080\u009f'],
  ['turns the direction of writing round', '\u202egpj.exe'],
  ['holds what cannot be seen', '\u200b\u200d\ufeff'],
  ['is not in one normal form', 'e\u0301é'],
  ['grows when it is put in lower case', 'İ'.repeat(20)],
  ['grows when it is put in upper case', 'ß'.repeat(20)],
  ['lies beyond the basic plane', '𝔹😀👩‍👩‍👧‍👦'],
  ['is one letter with a thousand marks', `a${'\u0301'.repeat(1000)}`],
  ['has digits of another script', '٣٣٣'],
  ['has digits of full width', '５'],
  ['has a Cyrillic letter that looks Latin', `0х${'ab'.repeat(20)}`],
]

/** The text, made long enough for an address or a hash. */
const padded = (text: string) => encodeURIComponent(text + 'z'.repeat(66))

const inPath = ([because, text]: [string, string]): NastyCase => ({
  because: `the address ${because}`,
  path: userPath(padded(text)),
  status: 200,
})

const inQuery = ([because, text]: [string, string]): NastyCase[] => [
  {
    because: `a hash ${because}`,
    path: TOKENS,
    rawQuery: `transactionHash=${padded(text)}`,
    status: 200,
  },
  { because: `a kind ${because}`, path: TOKENS, rawQuery: `event=${encodeURIComponent(text)}`, status: 400 },
  {
    because: `a limit ${because}`,
    path: userPath(USER),
    rawQuery: `limit=${encodeURIComponent(text)}`,
    status: 400,
  },
  {
    because: `a cursor ${because}`,
    path: TOKENS,
    rawQuery: `cursor=${encodeURIComponent(text)}`,
    status: 400,
  },
  { because: `a name ${because}`, path: TOKENS, rawQuery: `${encodeURIComponent(text)}=1`, status: 400 },
]

const names = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&')

/** The requests that are known to be harmful, each with the reason. */
export const NASTY_CASES: NastyCase[] = [
  ...[...FRAGMENTS, ...UNICODE].flatMap(pair => [inPath(pair), ...inQuery(pair)]),
  ...PROTOTYPE_NAMES.map(
    (name): NastyCase => ({
      because: `every object has a property ${name}`,
      path: TOKENS,
      rawQuery: `${encodeURIComponent(name)}=1`,
      status: 400,
    }),
  ),
  ...['__proto__', 'constructor', 'toString'].flatMap((value): NastyCase[] => [
    {
      because: `every object has a property ${value}, but no kind is called so`,
      path: TOKENS,
      rawQuery: `event=${value}`,
      status: 400,
    },
    {
      because: `every object has a property ${value}, but no network is called so`,
      path: userPath(USER),
      rawQuery: `network=${value}`,
      status: 400,
    },
  ]),

  // Sizes.
  { because: 'DynamoDB takes keys of up to 2,048 bytes', path: userPath('a'.repeat(3000)), status: 200 },
  {
    because: 'an address of 0x and many digits is nearly one',
    path: userPath(`0x${'ab'.repeat(2000)}`),
    status: 200,
  },
  {
    because: 'three bytes a letter count against the limit of keys too',
    path: userPath(encodeURIComponent('語'.repeat(700))),
    status: 200,
  },
  {
    because: 'a hash has no greatest length',
    path: TOKENS,
    rawQuery: `transactionHash=0x${'0'.repeat(6000)}`,
    status: 200,
  },
  {
    because: 'a limit may have any number of digits',
    path: TOKENS,
    rawQuery: `limit=${'9'.repeat(6000)}`,
    status: 200,
  },
  {
    because: 'leading zeros are fine, however many',
    path: TOKENS,
    rawQuery: `limit=${'0'.repeat(6000)}1`,
    status: 200,
  },
  {
    because: 'digits without end are no position to skip to',
    path: TOKENS,
    rawQuery: `skip=${'9'.repeat(6000)}`,
    status: 400,
  },
  {
    because: 'the largest skip that JavaScript counts exactly reads to the end and no further',
    path: TOKENS,
    rawQuery: `skip=${Number.MAX_SAFE_INTEGER}`,
    status: 200,
  },
  {
    because: 'one more than that is not counted exactly',
    path: TOKENS,
    rawQuery: `skip=${Number.MAX_SAFE_INTEGER + 1}`,
    status: 400,
  },
  {
    because: 'a cursor is decoded before it is known to be one',
    path: TOKENS,
    rawQuery: `cursor=${'A'.repeat(6000)}`,
    status: 400,
  },
  {
    because: 'a thousand unknown names must not become an answer a hundred times as long',
    path: TOKENS,
    rawQuery: names(900),
    status: 400,
  },
  {
    because: 'a known name given a thousand times is one problem',
    path: TOKENS,
    rawQuery: Array(900).fill('limit=5').join('&'),
    status: 400,
  },
  {
    because: 'blockNumber may be given twice, not a thousand times',
    path: TOKENS,
    rawQuery: Array(500).fill('blockNumber=1').join('&'),
    status: 400,
  },
  {
    because: 'a name of 6,000 letters is compared with those that exist',
    path: TOKENS,
    rawQuery: `${'x'.repeat(6000)}=1`,
    status: 400,
  },
  { because: 'separators alone are no parameters', path: TOKENS, rawQuery: '&'.repeat(3000), status: 200 },
  {
    because: 'a query of equals signs is a nameless parameter',
    path: TOKENS,
    rawQuery: '='.repeat(3000),
    status: 400,
  },

  // Spellings.
  {
    because: 'an address in capitals is the same address',
    path: userPath(`0x${USER.slice(2).toUpperCase()}`),
    status: 200,
  },
  { because: 'an X in capitals is the same X', path: userPath(`0X${USER.slice(2)}`), status: 200 },
  {
    because: 'a slash that is encoded is a part of the address',
    path: userPath(`${'a'.repeat(25)}%2F${'b'.repeat(25)}`),
    status: 200,
  },
  {
    because: 'an address that is encoded twice is decoded once',
    path: userPath(`${'a'.repeat(25)}%252F${'b'.repeat(25)}`),
    status: 200,
  },
  {
    because: 'an encoded question mark begins no query',
    path: userPath(`${'a'.repeat(42)}%3Flimit=0`),
    status: 200,
  },
  {
    because: 'an encoded number sign begins no fragment',
    path: userPath(`${'a'.repeat(42)}%23x`),
    status: 200,
  },
  {
    because: 'an address that ends with a line break is none, though it looks like one',
    path: userPath(`${USER}%0A`),
    status: 200,
  },
  { because: 'blanks around an address make it none', path: userPath(`%20${USER}%20`), status: 200 },
  { because: 'a plus sign in a query is a blank', path: TOKENS, rawQuery: 'limit=+5', status: 400 },
  { because: 'an encoded plus sign is no digit', path: TOKENS, rawQuery: 'limit=%2B5', status: 400 },
  { because: 'bytes that are no UTF-8 are no kind', path: TOKENS, rawQuery: 'event=%ff%fe', status: 400 },
  { because: 'an overlong form of a slash is no UTF-8', path: TOKENS, rawQuery: 'event=%c0%af', status: 400 },
  {
    because: 'half a surrogate pair, as some encoders write it, is no UTF-8',
    path: TOKENS,
    rawQuery: 'event=%ed%a0%80',
    status: 400,
  },
  {
    because: 'a percent sign without digits stands for itself',
    path: TOKENS,
    rawQuery: 'event=%',
    status: 400,
  },
  { because: 'an encoded name is the name', path: TOKENS, rawQuery: '%6c%69%6d%69%74=1', status: 200 },
  { because: 'brackets make no list', path: TOKENS, rawQuery: 'limit[]=5', status: 400 },
  { because: 'brackets make no object', path: TOKENS, rawQuery: 'blockNumber[$gt]=1', status: 400 },
  { because: 'a comma makes no list of what is one', path: TOKENS, rawQuery: 'limit=5,6', status: 400 },
  { because: 'a space makes no list', path: TOKENS, rawQuery: 'event=Minted,%20MintedBatch', status: 400 },
  {
    because: 'two spellings of one name are two names',
    path: TOKENS,
    rawQuery: 'limit=5&LIMIT=6',
    status: 400,
  },
  { because: 'semicolons once separated parameters', path: TOKENS, rawQuery: 'limit=5;skip=1', status: 400 },
  { because: 'a format has one spelling', path: TOKENS, rawQuery: 'format=CSV', status: 400 },
  { because: 'a media type is no format', path: TOKENS, rawQuery: 'format=text/csv', status: 400 },
  {
    because: 'a format names no property of an object',
    path: TOKENS,
    rawQuery: 'format=constructor',
    status: 400,
  },
  {
    because: 'what no format meets in Accept does not count beside format',
    path: TOKENS,
    rawQuery: 'format=csv&limit=1',
    headers: { accept: 'image/png;q=1, */*;q=0' },
    status: 200,
  },
  {
    because: 'another reading of the same name must not win',
    path: TOKENS,
    rawQuery: 'limit=5&limit=0',
    status: 400,
  },
  {
    because: 'a cursor and a skip contradict each other',
    path: TOKENS,
    rawQuery: 'cursor=AAAA&skip=0',
    status: 400,
  },
  {
    because: 'filters that exclude each other are a query all the same',
    path: TOKENS,
    rawQuery: `creator=${USER}&from=${USER}&owner=${USER}`,
    status: 200,
  },
  {
    because: 'every filter at once reads many lists, or none',
    path: TOKENS,
    rawQuery: `address=${USER}&from=${USER}&to=${USER}&operator=${USER}&transactionHash=${HASH}&blockNumber=1&event=TransferSingle`,
    status: 200,
  },

  // Headers.
  {
    because: 'a tag that names everything',
    path: `${TOKENS}`,
    rawQuery: 'limit=0',
    headers: { 'if-none-match': '*' },
    status: 400,
  },
  {
    because: 'thousands of tags are looked through',
    path: TOKENS,
    rawQuery: 'limit=1',
    headers: { 'if-none-match': '"a",'.repeat(1500) },
    status: 200,
  },
  {
    because: 'quotation marks that never close',
    path: TOKENS,
    rawQuery: 'limit=1',
    headers: { 'if-none-match': '"'.repeat(4001) },
    status: 200,
  },
  {
    because: 'thousands of codings are looked through',
    path: TOKENS,
    rawQuery: 'limit=1',
    headers: { 'accept-encoding': 'gzip;q=0.1,'.repeat(600) },
    status: 200,
  },
  {
    because: 'a quality that is no number',
    path: TOKENS,
    rawQuery: 'limit=20',
    headers: { 'accept-encoding': 'br;q=NaN, gzip;q=-1' },
    status: 200,
  },
  {
    because: 'a caller who takes no form at all',
    path: TOKENS,
    rawQuery: 'limit=20',
    headers: { 'accept-encoding': '*;q=0, identity;q=0' },
    status: 200,
  },
  {
    because: 'a proxy may be told to speak of another host',
    path: TOKENS,
    rawQuery: 'limit=1',
    headers: { 'x-forwarded-host': 'example.org', forwarded: 'host=example.org' },
    status: 200,
  },
  {
    because: 'a method is not taken from a header',
    path: TOKENS,
    rawQuery: 'limit=1',
    headers: { 'x-http-method-override': 'DELETE' },
    status: 200,
  },
  {
    because: 'a header may have the name of what objects have',
    path: TOKENS,
    rawQuery: 'limit=1',
    headers: { constructor: 'x', tostring: 'y' },
    status: 200,
  },
  {
    because: 'a request for a part of the body',
    path: TOKENS,
    rawQuery: 'limit=20',
    headers: { range: 'bytes=0-9' },
    status: 200,
  },

  // Other paths.
  { because: 'a short address is refused', path: userPath('0x0'), status: 400 },
  {
    because: 'a dot segment that is encoded leads nowhere',
    path: '/v1/token-events%2F..%2Fuser-events',
    status: 404,
  },
  {
    because: 'markup in a path comes back in no page',
    path: '/%3Cscript%3Ealert(1)%3C/script%3E',
    status: 404,
  },
  { because: 'another version', path: '/v2/token-events', status: 404 },
  { because: 'names of endpoints have one spelling', path: '/V1/Token-Events', status: 404 },
  { because: 'nothing is written here', method: 'POST', path: TOKENS, status: 405 },
  { because: 'nothing is deleted here', method: 'DELETE', path: userPath(USER), status: 405 },
]

/** Payloads of direct calls that are not queries, each with the reason why it is harmful. */
export const NASTY_PAYLOADS: { because: string; payload: unknown }[] = [
  { because: 'nothing at all', payload: undefined },
  { because: 'no object', payload: 'x'.repeat(100_000) },
  { because: 'a list instead of an object', payload: [{ query: {} }] },
  {
    because: 'a prototype instead of a query',
    payload: JSON.parse('{"query":{"__proto__":{"limit":"1"}}}'),
  },
  { because: 'a prototype of the payload', payload: JSON.parse('{"__proto__":{"query":{}}}') },
  { because: 'an object as a value', payload: { query: { limit: { $gt: 0 } } } },
  { because: 'a list within a list', payload: { query: { limit: [['5']] } } },
  { because: 'an empty list', payload: { query: { limit: [] } } },
  { because: 'no number', payload: { query: { limit: Number.NaN } } },
  { because: 'numbers without end', payload: { query: { skip: 1e308 } } },
  { because: 'a fraction', payload: { query: { limit: 0.1 } } },
  { because: 'thousands of values', payload: { query: { blockNumber: Array(20_000).fill(1) } } },
  {
    because: 'thousands of names',
    payload: { query: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, '1'])) },
  },
  {
    because: 'thousands of names with values of no kind',
    payload: { query: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`p${index}`, null])) },
  },
  { because: 'depth', payload: { query: { limit: JSON.parse('['.repeat(2_000) + ']'.repeat(2_000)) } } },
  { because: 'half of a surrogate pair', payload: { query: { event: '\ud800' } } },
  {
    because: 'looks like an HTTP request, and is none',
    payload: { requestContext: null, rawPath: '/v1/token-events' },
  },
  { because: 'a field of our own making', payload: { http: { method: 'GET', path: '/v1/token-events' } } },
  { because: 'another field of our own making', payload: { direct: { query: {} } } },
]
