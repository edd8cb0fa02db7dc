import { PARAMETERS } from '../../../lib/client/parameters.ts'
import { EVENT_KINDS } from '../../../lib/events/event-kinds.ts'
import { NETWORKS } from '../../../lib/events/networks.ts'
import { ADDRESSES } from '../oracle/oracle-problems.ts'
import type { Problem } from '../oracle/problems-of.ts'
import { ADDRESS_POOL } from '../records/arbitrary-fields.ts'
import { type ApiRequest, type Endpoint, tokenEvents, userEvents } from './api-request.ts'

export interface InvalidQuery {
  request: ApiRequest
  rawQuery: string
  problems: Problem[]
}

const USER = ADDRESS_POOL[2]
const HASH = `0x${'1a'.repeat(32)}`

const SKIP = 'must be an integer from 0 to 9007199254740991, in plain decimal digits'
const LIMIT = 'must be an integer of at least 1, in plain decimal digits'
const BLOCK = 'must be asc, desc or an integer from 1 to 100000000, in plain decimal digits'
const TWO_BLOCKS = 'gives more than one block number to filter by'
const TWO_DIRECTIONS = 'gives more than one sort direction (asc or desc)'
const DIRECTION = 'must be one of asc, desc'
const KIND = `must be one of ${EVENT_KINDS.join(', ')}`
const NETWORK = `must be one of ${NETWORKS.join(', ')}`
const HASH_LENGTH = 'must have at least 66 characters'
const ADDRESS_LENGTH = 'must have 35 to 55 characters'
const ONCE = 'must be given only once'
const CURSOR = 'is not a cursor of this query: follow Link unchanged, or start again without cursor'
const WITH_SKIP = 'cannot be combined with skip: the cursor already determines where to continue'
const EMPTY = 'must not be empty'
const IN_PATH =
  'is not a query parameter of user-events: write the address in the path, or, in a direct invocation, next to query in the payload'

const AT_TOKEN_EVENTS =
  'is not a parameter of user-events; for events of one user and token, use /v1/token-events with user and address'
const ANY_USER =
  'is not a parameter of token-events; use the parameter user, which matches this field and every other field that holds a user'

const TIME =
  'must be a date-time with its zone (2024-04-01T12:00:00Z), a date (2024-04-01) or Unix seconds of up to 12 digits'
const NO_ZONE = 'has no zone: append Z for UTC, or an offset such as -05:00 (a + is %2B in a URL)'
const LOST_PLUS = 'has a space instead of a +: in a URL, write + as %2B'
const NO_T = 'must have a T between date and time'
const NO_DAY = 'is a day that does not exist in the calendar'
const MILLISECONDS =
  'has more than 12 digits, so it seems to be in milliseconds: write Unix seconds, or a date-time'
const YEAR = 'is a year: write a date, such as 2024-01-01'
const NO_HYPHENS =
  'must have hyphens if it is a date, such as 2024-04-01; if it is Unix seconds, write a 0 before it'
const BLOCK_OF_SPAN = 'must be an integer from 0 to 999999999999, in plain decimal digits'
const BOOLEAN = 'must be one of true, false'
const FORMAT = 'must be one of json, ndjson, csv'
const SWAPPED_TIMES = 'is later than toTime: swap the two'

const MIN_BLOCK = 'must be a network and a block number, such as base:34160634'
const MIN_BLOCK_NUMBER =
  'must have an integer from 0 to 999999999999 after the colon, in plain decimal digits'
const NO_NETWORK = 'must name a network, as in base:34160634. For events from a block on, use fromBlock'
const MIN_BLOCK_NETWORK = `must begin with one of ${NETWORKS.join(', ')}`
const EXCLUDED =
  'contains base, which the parameter network excludes: add it to network, or remove it from minBlock'

const unknown = (endpoint: Endpoint) =>
  `is not a parameter of ${endpoint}, which has ${[...PARAMETERS[endpoint]].sort().join(', ')}`

type Row = [rawQueries: string | string[], ...problems: [parameter: string, message: string][]]

/** A row for queries with each of these values, which must all get the same message. */
const wrong = (name: string, message: string, values: string[]): Row => [
  values.map(value => `${name}=${value}`),
  [name, message],
]

/** Each of these names resembles the parameter `name`. */
const meant = (endpoint: Endpoint, name: string, given: string): Row[] =>
  given
    .split(' ')
    .map(each => [`${each}=5`, [each, `is not a parameter of ${endpoint}; did you mean ${name}?`]])

const NO_INTEGERS = ['', ...'1e3 0x10 1.0 %205 5%20 +5 %2B5 -1 -0 1,5 1_000 NaN %D9%A5'.split(' ')]

const onBoth = (endpoint: Endpoint): Row[] => [
  ['skip', ['skip', SKIP]],
  wrong('skip', SKIP, [...NO_INTEGERS, '9007199254740992', '9'.repeat(400)]),
  ['skip=5&skip=5', ['skip', ONCE]],
  wrong('limit', LIMIT, [...NO_INTEGERS, '0', '0000']),
  ['limit=5&limit=6', ['limit', ONCE]],
  wrong('blockNumber', BLOCK, [
    ...[...NO_INTEGERS, '0', '100000001', '1,desc', '1%2Cdesc', 'desc,1', 'DESC', '1&blockNumber='],
  ]),
  wrong('blockNumber', TWO_BLOCKS, ['1&blockNumber=2', '7&blockNumber=7']),
  wrong('blockNumber', TWO_DIRECTIONS, ['asc&blockNumber=desc', '1&blockNumber=asc&blockNumber=asc']),
  ['blockNumber=x&blockNumber=1&blockNumber=2', ['blockNumber', BLOCK], ['blockNumber', TWO_BLOCKS]],
  wrong('createdAt', DIRECTION, ['', 'DESC', '2023-06-01', 'asc,desc']),
  ['createdAt=asc&createdAt=asc', ['createdAt', ONCE]],
  wrong('event', KIND, ['', 'minted', 'toString']),
  ['event=Minted,minted', ['event', `"minted" ${KIND}`]],
  ['event=Minted,', ['event', `"" ${KIND}`]],
  ['event=Minted&event=x&event=y', ['event', `"x" ${KIND}`], ['event', `"y" ${KIND}`]],
  ['event=Minted,%20MintedBatch', ['event', `" MintedBatch" ${KIND}`]],
  wrong('network', NETWORK, ['', 'Base', 'bsc', 'bsc&minBlock=base:5']),
  ['network=base,bsc', ['network', `"bsc" ${NETWORK}`]],
  ...['fromTime', 'toTime'].flatMap((name): Row[] => [
    wrong(name, TIME, ['', 'yesterday', '2024-04-01T12:00Z', '2024-04-01T24:00:00Z', '2024-04-01T12:00:60Z']),
    wrong(name, TIME, ['-1', '1711929600.5']),
    wrong(name, NO_ZONE, ['2024-04-01T12:00:00']),
    wrong(name, LOST_PLUS, ['2024-04-01T12:00:00+02:00']),
    wrong(name, NO_T, ['2024-04-01%2012:00:00Z']),
    wrong(name, NO_DAY, ['2024-02-30', '2023-02-29T00:00:00Z']),
    wrong(name, MILLISECONDS, ['1711929600000', '9'.repeat(400)]),
    wrong(name, YEAR, ['2024']),
    wrong(name, NO_HYPHENS, ['20240401']),
    wrong(name, ONCE, [`2024-04-01&${name}=2024-04-01`]),
  ]),
  ...['fromBlock', 'toBlock'].flatMap((name): Row[] => [
    wrong(name, BLOCK_OF_SPAN, ['', '-1', '1.0', '0x10', '1e3', '1000000000000']),
    wrong(name, ONCE, [`1&${name}=1`]),
  ]),
  ['fromBlock=10&toBlock=9', ['fromBlock', 'is later than toBlock: swap the two']],
  ...['finalized', 'count'].flatMap((name): Row[] => [
    wrong(name, BOOLEAN, ['', 'TRUE', '1', 'yes']),
    wrong(name, ONCE, [`true&${name}=true`]),
  ]),
  wrong('format', FORMAT, ['', 'CSV', 'xml', 'text/csv', 'json,csv', '%20csv', 'toString']),
  ['format=csv&format=csv', ['format', ONCE]],
  ['format=xml&cursor=x', ['format', FORMAT], ['cursor', CURSOR]],
  wrong('minBlock', MIN_BLOCK, ['', 'base', 'base-5', 'x']),
  wrong('minBlock', MIN_BLOCK_NUMBER, [
    ...['base:', 'base:-1', 'base:+5', 'base:1e3', 'base:0x10', 'base:1.0', 'base:%205', 'base:5%20'],
    ...['base:5:6', 'base:1000000000000'],
  ]),
  wrong('minBlock', NO_NETWORK, ['34160634']),
  wrong('minBlock', MIN_BLOCK_NETWORK, [':5', 'solana:5', 'constructor:5']),
  wrong('minBlock', `${MIN_BLOCK_NETWORK}; did you mean base?`, ['Base:5']),
  wrong('minBlock', `${MIN_BLOCK_NETWORK}; did you mean ethereum?`, ['eth:5']),
  wrong('minBlock', `${MIN_BLOCK_NETWORK}; did you mean polygon?`, ['poligon:5']),
  ['minBlock=base:5,polygon', ['minBlock', `"polygon" ${MIN_BLOCK}`]],
  ['minBlock=base:5,', ['minBlock', `"" ${MIN_BLOCK}`]],
  ['minBlock=base:5&minBlock=x', ['minBlock', `"x" ${MIN_BLOCK}`]],
  ['minBlock=base:5,%20polygon:5', ['minBlock', `" polygon:5" ${MIN_BLOCK_NETWORK}; did you mean polygon?`]],
  wrong('minBlock', 'contains base more than once', [
    ...['base:5,base:6', 'base:5&minBlock=polygon:7&minBlock=base:5'],
  ]),
  wrong('minBlock', EXCLUDED, ['base:5&network=polygon,ethereum']),
  wrong('fromTime', SWAPPED_TIMES, [
    '2024-04-02&toTime=2024-04-01',
    '2024-04-01T00:00:00.2Z&toTime=2024-04-01T00:00:00.10Z',
    '2024-04-01T00:00:00Z&toTime=2024-04-01T00:00:00%2B00:01',
  ]),
  wrong('fromTime', TIME, ['x&toTime=2024-04-01']),
  wrong('transactionHash', HASH_LENGTH, ['', HASH.slice(1)]),
  wrong('transactionHash', ONCE, [`${HASH}&transactionHash=${HASH}`]),
  wrong('cursor', EMPTY, ['']),
  wrong('cursor', CURSOR, ['x', 'A'.repeat(5000)]),
  wrong('cursor', ONCE, ['a&cursor=a']),
  [
    ['skip=0&cursor=x', 'skip=5&cursor=x'],
    ['cursor', WITH_SKIP],
    ['cursor', CURSOR],
  ],
  ...meant(endpoint, 'network', 'netwrok chain'),
  ...meant(endpoint, 'minBlock', 'min_block'),
  ...meant(endpoint, 'fromBlock', 'from_block startblock'),
  ...meant(endpoint, 'cursor or fromTime', 'after'),
  ...meant(endpoint, 'fromTime', 'startTime fromDate createdAt_gte'),
  ...meant(endpoint, 'limit', 'Limit limits'),
  ...meant(endpoint, 'createdAt or blockNumber', 'order'),
  ...['colour', 'z'.repeat(60), 'constructor', 'toString', '__proto__'].map(
    (name): Row => [`${name}=1`, [name, unknown(endpoint)]],
  ),
  [
    'event=x&skip=x&limit=x&blockNumber=x&transactionHash=x&createdAt=x&colour=x',
    ['event', KIND],
    ['skip', SKIP],
    ['limit', LIMIT],
    ['blockNumber', BLOCK],
    ['transactionHash', HASH_LENGTH],
    ['createdAt', DIRECTION],
    ['colour', unknown(endpoint)],
  ],
]

const onUserEvents: Row[] = [
  ...['contract', 'tokenId', 'token_id'].map((name): Row => [`${name}=1`, [name, AT_TOKEN_EVENTS]]),
  ...['address', 'user'].map((name): Row => [`${name}=${USER}`, [name, IN_PATH]]),
  ...['operator', 'initialOwner'].map((name): Row => [`${name}=${USER}`, [name, unknown('user-events')]]),
]

const TOKEN_ID = 'must be a token id below 2^256, in decimal digits or as 0x and hex digits'
const NO_ADDRESS = 'needs address: send both'

const OTHER = USER.replace('0x', '0xa').slice(0, 42)
const SPACE_IN_LIST = 'has a space: separate values with commas only, without spaces'

const onTokenEvents: Row[] = [
  wrong('tokenId', TOKEN_ID, [
    ...['', '-1', '1.5', '1e3', 'x', '0x', '0xg', 'ff', '1,2', String(2n ** 256n), '9'.repeat(4000)].map(
      id => `${id}&address=${USER}`,
    ),
    `0x1${'0'.repeat(64)}&address=${USER}`,
  ]),
  wrong('tokenId', ONCE, [`1&tokenId=1&address=${USER}`]),
  wrong('tokenId', NO_ADDRESS, ['1']),
  ['tokenId=x', ['tokenId', TOKEN_ID], ['tokenId', NO_ADDRESS]],
  ...meant('token-events', 'user', 'wallet_address'),
  ...meant('token-events', 'address', 'contractAddresses adress'),
  ...meant('token-events', 'from', 'fromAddress'),
  ...ADDRESSES.map(name => wrong(name, ADDRESS_LENGTH, ['', 'x'.repeat(34), 'x'.repeat(56)])),
  ...ADDRESSES.filter(name => name !== 'address').map(name => wrong(name, ONCE, [`${USER}&${name}=${USER}`])),
  wrong('address', ADDRESS_LENGTH, ['x&tokenId=1']),
  wrong('address', `"x" ${ADDRESS_LENGTH}`, [`${USER},x`]),
  wrong('address', `" ${OTHER}" ${SPACE_IN_LIST}`, [`${USER},%20${OTHER}`, `${USER},+${OTHER}&tokenId=1`]),
  wrong('address', `"${OTHER}\\n" ${SPACE_IN_LIST}`, [`${USER}&address=${OTHER}%0A`]),
  wrong('address', 'must have at most 10 different values', [
    Array.from({ length: 11 }, (_, index) => `${USER.slice(0, -2)}${index + 10}`).join(),
  ]),
  [`previousOwner=${USER}`, ['previousOwner', ANY_USER]],
  [`from=x&to=${USER}&operator=y`, ['from', ADDRESS_LENGTH], ['operator', ADDRESS_LENGTH]],
]

const table = (request: ApiRequest, rows: Row[]): InvalidQuery[] =>
  rows.flatMap(([rawQueries, ...problems]) =>
    [rawQueries].flat().map(rawQuery => ({
      request,
      rawQuery,
      problems: problems.map(([parameter, message]) => ({ parameter, message })),
    })),
  )

/** Each query comes with the sentences that its error must contain. */
export const INVALID_QUERIES: InvalidQuery[] = [
  ...table(userEvents(USER), [...onBoth('user-events'), ...onUserEvents]),
  ...table(tokenEvents(), [...onBoth('token-events'), ...onTokenEvents]),
]
