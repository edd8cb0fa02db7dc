import { PARAMETERS } from '../../../lib/client/parameters.ts'
import { EVENT_KINDS } from '../../../lib/events/event-kinds.ts'
import { NETWORKS } from '../../../lib/events/networks.ts'
import type { Problem } from '../oracle/problems-of.ts'
import { ADDRESS_FILTERS, ADDRESS_POOL } from '../records/arbitrary-fields.ts'
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
const meant = (endpoint: Endpoint, name: string) => `is not a parameter of ${endpoint}; did you mean ${name}?`

type Row = [rawQuery: string, ...problems: [parameter: string, message: string][]]

const NO_INTEGERS = ['', ...'1e3 0x10 1.0 %205 5%20 +5 %2B5 -1 -0 1,5 1_000 NaN %D9%A5'.split(' ')]

const onBoth = (endpoint: Endpoint): Row[] => [
  ...NO_INTEGERS.flatMap((text): Row[] => [
    [`skip=${text}`, ['skip', SKIP]],
    [`limit=${text}`, ['limit', LIMIT]],
    [`blockNumber=${text}`, ['blockNumber', BLOCK]],
  ]),
  ['skip', ['skip', SKIP]],
  ['skip=9007199254740992', ['skip', SKIP]],
  [`skip=${'9'.repeat(400)}`, ['skip', SKIP]],
  ['skip=5&skip=5', ['skip', ONCE]],
  ['limit=0', ['limit', LIMIT]],
  ['limit=0000', ['limit', LIMIT]],
  ['limit=5&limit=6', ['limit', ONCE]],
  ['blockNumber=0', ['blockNumber', BLOCK]],
  ['blockNumber=100000001', ['blockNumber', BLOCK]],
  ['blockNumber=1,desc', ['blockNumber', BLOCK]],
  ['blockNumber=1%2Cdesc', ['blockNumber', BLOCK]],
  ['blockNumber=desc,1', ['blockNumber', BLOCK]],
  ['blockNumber=DESC', ['blockNumber', BLOCK]],
  ['blockNumber=1&blockNumber=', ['blockNumber', BLOCK]],
  ['blockNumber=1&blockNumber=2', ['blockNumber', TWO_BLOCKS]],
  ['blockNumber=7&blockNumber=7', ['blockNumber', TWO_BLOCKS]],
  ['blockNumber=asc&blockNumber=desc', ['blockNumber', TWO_DIRECTIONS]],
  ['blockNumber=1&blockNumber=asc&blockNumber=asc', ['blockNumber', TWO_DIRECTIONS]],
  ['blockNumber=x&blockNumber=1&blockNumber=2', ['blockNumber', BLOCK], ['blockNumber', TWO_BLOCKS]],
  ['createdAt=', ['createdAt', DIRECTION]],
  ['createdAt=DESC', ['createdAt', DIRECTION]],
  ['createdAt=2023-06-01', ['createdAt', DIRECTION]],
  ['createdAt=asc,desc', ['createdAt', DIRECTION]],
  ['createdAt=asc&createdAt=asc', ['createdAt', ONCE]],
  ['event=', ['event', KIND]],
  ['event=minted', ['event', KIND]],
  ['event=Minted,minted', ['event', `"minted" ${KIND}`]],
  ['event=Minted,', ['event', `"" ${KIND}`]],
  ['event=Minted&event=x&event=y', ['event', `"x" ${KIND}`], ['event', `"y" ${KIND}`]],
  ['event=Minted,%20MintedBatch', ['event', `" MintedBatch" ${KIND}`]],
  ['event=toString', ['event', KIND]],
  ['network=', ['network', NETWORK]],
  ['network=Base', ['network', NETWORK]],
  ['network=bsc', ['network', NETWORK]],
  ['network=base,bsc', ['network', `"bsc" ${NETWORK}`]],
  ['netwrok=base', ['netwrok', meant(endpoint, 'network')]],
  ['chain=base', ['chain', meant(endpoint, 'network')]],
  ...['fromTime', 'toTime'].flatMap((name): Row[] => [
    [`${name}=`, [name, TIME]],
    [`${name}=yesterday`, [name, TIME]],
    [`${name}=2024-04-01T12:00Z`, [name, TIME]],
    [`${name}=2024-04-01T24:00:00Z`, [name, TIME]],
    [`${name}=2024-04-01T12:00:60Z`, [name, TIME]],
    [`${name}=-1`, [name, TIME]],
    [`${name}=1711929600.5`, [name, TIME]],
    [`${name}=2024-04-01T12:00:00`, [name, NO_ZONE]],
    [`${name}=2024-04-01T12:00:00+02:00`, [name, LOST_PLUS]],
    [`${name}=2024-04-01%2012:00:00Z`, [name, NO_T]],
    [`${name}=2024-02-30`, [name, NO_DAY]],
    [`${name}=2023-02-29T00:00:00Z`, [name, NO_DAY]],
    [`${name}=1711929600000`, [name, MILLISECONDS]],
    [`${name}=${'9'.repeat(400)}`, [name, MILLISECONDS]],
    [`${name}=2024`, [name, YEAR]],
    [`${name}=20240401`, [name, NO_HYPHENS]],
    [`${name}=2024-04-01&${name}=2024-04-01`, [name, ONCE]],
  ]),
  ...['fromBlock', 'toBlock'].flatMap((name): Row[] => [
    ...['', '-1', '1.0', '0x10', '1e3', '1000000000000'].map(
      (text): Row => [`${name}=${text}`, [name, BLOCK_OF_SPAN]],
    ),
    [`${name}=1&${name}=1`, [name, ONCE]],
  ]),
  ['fromBlock=10&toBlock=9', ['fromBlock', 'is later than toBlock: swap the two']],
  ...['finalized', 'count'].flatMap((name): Row[] => [
    ...['', 'TRUE', '1', 'yes'].map((text): Row => [`${name}=${text}`, [name, BOOLEAN]]),
    [`${name}=true&${name}=true`, [name, ONCE]],
  ]),
  ...['', 'CSV', 'xml', 'text/csv', 'json,csv', '%20csv', 'toString'].map(
    (text): Row => [`format=${text}`, ['format', FORMAT]],
  ),
  ['format=csv&format=csv', ['format', ONCE]],
  ['Format=csv', ['Format', meant(endpoint, 'format')]],
  ['output=csv', ['output', meant(endpoint, 'format')]],
  ['format=xml&cursor=x', ['format', FORMAT], ['cursor', CURSOR]],
  ...['', 'base', 'base-5', 'x'].map((text): Row => [`minBlock=${text}`, ['minBlock', MIN_BLOCK]]),
  ...['', '-1', '+5', '1e3', '0x10', '1.0', '%205', '5%20', '5:6', '1000000000000'].map(
    (text): Row => [`minBlock=base:${text}`, ['minBlock', MIN_BLOCK_NUMBER]],
  ),
  ['minBlock=34160634', ['minBlock', NO_NETWORK]],
  ['minBlock=:5', ['minBlock', MIN_BLOCK_NETWORK]],
  ['minBlock=solana:5', ['minBlock', MIN_BLOCK_NETWORK]],
  ['minBlock=constructor:5', ['minBlock', MIN_BLOCK_NETWORK]],
  ['minBlock=Base:5', ['minBlock', `${MIN_BLOCK_NETWORK}; did you mean base?`]],
  ['minBlock=eth:5', ['minBlock', `${MIN_BLOCK_NETWORK}; did you mean ethereum?`]],
  ['minBlock=poligon:5', ['minBlock', `${MIN_BLOCK_NETWORK}; did you mean polygon?`]],
  ['minBlock=base:5,polygon', ['minBlock', `"polygon" ${MIN_BLOCK}`]],
  ['minBlock=base:5,', ['minBlock', `"" ${MIN_BLOCK}`]],
  ['minBlock=base:5&minBlock=x', ['minBlock', `"x" ${MIN_BLOCK}`]],
  ['minBlock=base:5,%20polygon:5', ['minBlock', `" polygon:5" ${MIN_BLOCK_NETWORK}; did you mean polygon?`]],
  ['minBlock=base:5,base:6', ['minBlock', 'contains base more than once']],
  ['minBlock=base:5&minBlock=polygon:7&minBlock=base:5', ['minBlock', 'contains base more than once']],
  ['minBlock=base:5&network=polygon,ethereum', ['minBlock', EXCLUDED]],
  ['minBlock=base:5&network=bsc', ['network', NETWORK]],
  ['min_block=5', ['min_block', meant(endpoint, 'minBlock')]],
  ['from_block=1', ['from_block', meant(endpoint, 'fromBlock')]],
  ['startblock=1', ['startblock', meant(endpoint, 'fromBlock')]],
  ['blockNumber_lte=1', ['blockNumber_lte', meant(endpoint, 'toBlock')]],
  ['total=true', ['total', meant(endpoint, 'count')]],
  ['fromTime=2024-04-02&toTime=2024-04-01', ['fromTime', SWAPPED_TIMES]],
  ['fromTime=2024-04-01T00:00:00.2Z&toTime=2024-04-01T00:00:00.10Z', ['fromTime', SWAPPED_TIMES]],
  ['fromTime=2024-04-01T00:00:00Z&toTime=2024-04-01T00:00:00%2B00:01', ['fromTime', SWAPPED_TIMES]],
  ['fromTime=x&toTime=2024-04-01', ['fromTime', TIME]],
  ['after=2024-04-01', ['after', meant(endpoint, 'cursor or fromTime')]],
  ['since=2024-04-01', ['since', meant(endpoint, 'fromTime')]],
  ['startTime=2024-04-01', ['startTime', meant(endpoint, 'fromTime')]],
  ['fromDate=2024-04-01', ['fromDate', meant(endpoint, 'fromTime')]],
  ['createdAt_gte=2024-04-01', ['createdAt_gte', meant(endpoint, 'fromTime')]],
  ['createdAt_lte=2024-04-01', ['createdAt_lte', meant(endpoint, 'toTime')]],
  ['until=2024-04-01', ['until', meant(endpoint, 'toTime')]],
  ['transactionHash=', ['transactionHash', HASH_LENGTH]],
  [`transactionHash=${HASH.slice(1)}`, ['transactionHash', HASH_LENGTH]],
  [`transactionHash=${HASH}&transactionHash=${HASH}`, ['transactionHash', ONCE]],
  ['cursor=', ['cursor', EMPTY]],
  ['cursor=x', ['cursor', CURSOR]],
  [`cursor=${'A'.repeat(5000)}`, ['cursor', CURSOR]],
  ['cursor=a&cursor=a', ['cursor', ONCE]],
  ['Limit=5', ['Limit', meant(endpoint, 'limit')]],
  ['limits=5', ['limits', meant(endpoint, 'limit')]],
  ['blocknumber=5', ['blocknumber', meant(endpoint, 'blockNumber')]],
  ['created_at=desc', ['created_at', meant(endpoint, 'createdAt')]],
  ['transactionhash=x', ['transactionhash', meant(endpoint, 'transactionHash')]],
  ['evnt=Minted', ['evnt', meant(endpoint, 'event')]],
  ['order=desc', ['order', meant(endpoint, 'createdAt or blockNumber')]],
  ['sortBy=createdAt', ['sortBy', meant(endpoint, 'createdAt or blockNumber')]],
  ['offset=5', ['offset', meant(endpoint, 'skip')]],
  ['page=2', ['page', meant(endpoint, 'cursor')]],
  ['per_page=5', ['per_page', meant(endpoint, 'limit')]],
  ['txHash=x', ['txHash', meant(endpoint, 'transactionHash')]],
  ['eventType=Minted', ['eventType', meant(endpoint, 'event')]],
  ['block=5', ['block', meant(endpoint, 'blockNumber')]],
  ['colour=red', ['colour', unknown(endpoint)]],
  [`${'z'.repeat(60)}=1`, ['z'.repeat(60), unknown(endpoint)]],
  ['constructor=1', ['constructor', unknown(endpoint)]],
  ['toString=1', ['toString', unknown(endpoint)]],
  ['__proto__=1', ['__proto__', unknown(endpoint)]],
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
  [`contract=${USER}`, ['contract', AT_TOKEN_EVENTS]],
  [`address=${USER}`, ['address', IN_PATH]],
  ['tokenId=1', ['tokenId', AT_TOKEN_EVENTS]],
  ['token_id=1', ['token_id', AT_TOKEN_EVENTS]],
  [`user=${USER}`, ['user', IN_PATH]],
  [`operator=${USER}`, ['operator', unknown('user-events')]],
  [`initialOwner=${USER}`, ['initialOwner', unknown('user-events')]],
]

const TOKEN_ID = 'must be a token id below 2^256, in decimal digits or as 0x and hex digits'
const NO_ADDRESS = 'needs address: send both'

const OTHER = USER.replace('0x', '0xa').slice(0, 42)
const SPACE_IN_LIST = 'has a space: separate values with commas only, without spaces'

const onTokenEvents: Row[] = [
  ...['', '-1', '1.5', '1e3', 'x', '0x', '0xg', 'ff', '1,2', String(2n ** 256n), '9'.repeat(4000)].map(
    (id): Row => [`address=${USER}&tokenId=${id}`, ['tokenId', TOKEN_ID]],
  ),
  [`address=${USER}&tokenId=0x1${'0'.repeat(64)}`, ['tokenId', TOKEN_ID]],
  [`address=${USER}&tokenId=1&tokenId=1`, ['tokenId', ONCE]],
  ['tokenId=1', ['tokenId', NO_ADDRESS]],
  ['tokenId=x', ['tokenId', TOKEN_ID], ['tokenId', NO_ADDRESS]],
  ['tokenId=1&address=x', ['address', ADDRESS_LENGTH]],
  ['token_id=1', ['token_id', meant('token-events', 'tokenId')]],
  [`wallet_address=${USER}`, ['wallet_address', meant('token-events', 'user')]],
  [`newOwner=${USER}`, ['newOwner', meant('token-events', 'owner')]],
  [`contract=${USER}`, ['contract', meant('token-events', 'address')]],
  [`sender=${USER}`, ['sender', meant('token-events', 'from')]],
  [`to_address=${USER}`, ['to_address', meant('token-events', 'to')]],
  [`fromAddress=${USER}`, ['fromAddress', meant('token-events', 'from')]],
  [`contractAddresses=${USER}`, ['contractAddresses', meant('token-events', 'address')]],
  ['pageKey=x', ['pageKey', meant('token-events', 'cursor')]],
  ...ADDRESS_FILTERS.flatMap((name): Row[] => [
    [`${name}=`, [name, ADDRESS_LENGTH]],
    [`${name}=${'x'.repeat(34)}`, [name, ADDRESS_LENGTH]],
    [`${name}=${'x'.repeat(56)}`, [name, ADDRESS_LENGTH]],
    ...(name === 'address' ? [] : [[`${name}=${USER}&${name}=${USER}`, [name, ONCE]] as Row]),
  ]),
  [`address=${USER},x`, ['address', `"x" ${ADDRESS_LENGTH}`]],
  [`address=${USER},%20${OTHER}`, ['address', `" ${OTHER}" ${SPACE_IN_LIST}`]],
  [`address=${USER},+${OTHER}&tokenId=1`, ['address', `" ${OTHER}" ${SPACE_IN_LIST}`]],
  [`address=${USER}&address=${OTHER}%0A`, ['address', `"${OTHER}\\n" ${SPACE_IN_LIST}`]],
  [
    `address=${Array.from({ length: 11 }, (_, index) => `${USER.slice(0, -2)}${index + 10}`)}`,
    ['address', 'must have at most 10 different values'],
  ],
  [`adress=${USER}`, ['adress', meant('token-events', 'address')]],
  [`initialowner=${USER}`, ['initialowner', meant('token-events', 'initialOwner')]],
  [`previousOwner=${USER}`, ['previousOwner', ANY_USER]],
  [`from=x&to=${USER}&operator=y`, ['from', ADDRESS_LENGTH], ['operator', ADDRESS_LENGTH]],
]

const table = (request: ApiRequest, rows: Row[]): InvalidQuery[] =>
  rows.map(([rawQuery, ...problems]) => ({
    request,
    rawQuery,
    problems: problems.map(([parameter, message]) => ({ parameter, message })),
  }))

/** Each query comes with the sentences that its error must contain. */
export const INVALID_QUERIES: InvalidQuery[] = [
  ...table(userEvents(USER), [...onBoth('user-events'), ...onUserEvents]),
  ...table(tokenEvents(), [...onBoth('token-events'), ...onTokenEvents]),
]
