import { SERVED_NETWORKS } from '../oracle/oracle-problems.ts'
import type { Problem } from '../oracle/problems-of.ts'
import { ADDRESS_FILTERS, ADDRESS_POOL } from '../records/arbitrary-fields.ts'
import { type ApiRequest, type Endpoint, tokenEvents, userEvents } from './api-request.ts'

export interface InvalidQuery {
  request: ApiRequest
  /** In place of the request's own query. */
  rawQuery: string
  /** All that the answer says is wrong, in the order of the query. */
  problems: Problem[]
}

const USER = ADDRESS_POOL[2]
const HASH = `0x${'1a'.repeat(32)}`

const SKIP = 'must be an integer from 0 to 9007199254740991, in plain decimal digits'
const LIMIT = 'must be an integer of at least 1, in plain decimal digits'
const BLOCK = 'must be asc, desc or an integer from 1 to 100000000, in plain decimal digits'
const TWO_BLOCKS = 'gives a block number to filter by more than once'
const TWO_DIRECTIONS = 'gives the sort direction (asc or desc) more than once'
const DIRECTION = 'must be one of asc, desc'
const KIND = 'must be one of Minted, MintedBatch, TransferSingle, TransferBatch, OwnershipTransferred'
const NETWORK = `must be one of ${SERVED_NETWORKS.join(', ')}`
const HASH_LENGTH = 'must have at least 66 characters'
const ADDRESS_LENGTH = 'must have 35 to 55 characters'
const ONCE = 'must be given only once'
const CURSOR = 'is not a cursor of this query: use the address in Link as it is, or begin anew without cursor'
const EMPTY = 'must not be empty'
const NO_NETWORK = 'is not a parameter of token-events, whose answers cover all networks'
const IN_PATH = 'is not a query parameter of user-events: the address stands in the path'

const AT_USER_EVENTS =
  'is not a parameter of token-events; all events of a user are at /v1/user-events/{address}'

const KNOWN: Record<Endpoint, string> = {
  'user-events': 'blockNumber, createdAt, cursor, event, limit, network, skip, transactionHash',
  'token-events':
    'address, blockNumber, createdAt, creator, cursor, event, from, initialOwner, limit, operator, owner, skip, to, transactionHash',
}
const unknown = (endpoint: Endpoint) => `is not a parameter of ${endpoint}, which has ${KNOWN[endpoint]}`
const meant = (endpoint: Endpoint, name: string) => `is not a parameter of ${endpoint}; did you mean ${name}?`

type Row = [rawQuery: string, ...problems: [parameter: string, message: string][]]

const NO_INTEGERS = [
  '1e3',
  '0x10',
  '1.0',
  '%205',
  '5%20',
  '+5',
  '%2B5',
  '-1',
  '-0',
  '',
  '1,5',
  '1_000',
  'NaN',
  '%D9%A5',
]

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
  ['event=Minted,MintedBatch', ['event', KIND]],
  ['event=toString', ['event', KIND]],
  ['event=Minted&event=Minted', ['event', ONCE]],
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
  ['tokenId=1&tokenId=2', ['tokenId', unknown(endpoint)]],
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
  ['network=', ['network', NETWORK]],
  ['network=Base', ['network', NETWORK]],
  ['network=bsc', ['network', NETWORK]],
  ['network=base&network=base', ['network', ONCE]],
  ['netwrok=base', ['netwrok', meant('user-events', 'network')]],
  ['chain=base', ['chain', meant('user-events', 'network')]],
  [`contract=${USER}`, ['contract', unknown('user-events')]],
  [`address=${USER}`, ['address', IN_PATH]],
  [`user=${USER}`, ['user', IN_PATH]],
  [`operator=${USER}`, ['operator', unknown('user-events')]],
  [`initialOwner=${USER}`, ['initialOwner', unknown('user-events')]],
]

const onTokenEvents: Row[] = [
  ['chain=base', ['chain', NO_NETWORK]],
  [`wallet_address=${USER}`, ['wallet_address', AT_USER_EVENTS]],
  [`newOwner=${USER}`, ['newOwner', meant('token-events', 'owner')]],
  [`contract=${USER}`, ['contract', meant('token-events', 'address')]],
  [`sender=${USER}`, ['sender', meant('token-events', 'from')]],
  ...ADDRESS_FILTERS.flatMap((name): Row[] => [
    [`${name}=`, [name, ADDRESS_LENGTH]],
    [`${name}=${'x'.repeat(34)}`, [name, ADDRESS_LENGTH]],
    [`${name}=${'x'.repeat(56)}`, [name, ADDRESS_LENGTH]],
    [`${name}=${USER}&${name}=${USER}`, [name, ONCE]],
  ]),
  ['network=base', ['network', NO_NETWORK]],
  ['network=nonsense', ['network', NO_NETWORK]],
  [`adress=${USER}`, ['adress', meant('token-events', 'address')]],
  [`initialowner=${USER}`, ['initialowner', meant('token-events', 'initialOwner')]],
  [`previousOwner=${USER}`, ['previousOwner', AT_USER_EVENTS]],
  [`from=x&to=${USER}&operator=y`, ['from', ADDRESS_LENGTH], ['operator', ADDRESS_LENGTH]],
]

const table = (request: ApiRequest, rows: Row[]): InvalidQuery[] =>
  rows.map(([rawQuery, ...problems]) => ({
    request,
    rawQuery,
    problems: problems.map(([parameter, message]) => ({ parameter, message })),
  }))

/** Every way in which a query parameter can be wrong, with the sentences that say so. */
export const INVALID_QUERIES: InvalidQuery[] = [
  ...table(userEvents(USER), [...onBoth('user-events'), ...onUserEvents]),
  ...table(tokenEvents(), [...onBoth('token-events'), ...onTokenEvents]),
]
