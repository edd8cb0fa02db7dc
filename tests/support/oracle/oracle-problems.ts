import type { LISTS as CLIENT_LISTS } from '../../../lib/client/parameters.ts'
import { NETWORKS } from '../../../lib/events/networks.ts'
import type { ApiRequest, Endpoint } from '../requests/api-request.ts'
import { momentOf } from './oracle-times.ts'

const KINDS = ['Minted', 'MintedBatch', 'TransferSingle', 'TransferBatch', 'OwnershipTransferred']
const DIRECTIONS = ['desc', 'asc']

type Check = (value: string) => boolean

const oneOf =
  (values: readonly string[]): Check =>
  value =>
    values.includes(value)

const length =
  (min: number, max = Number.POSITIVE_INFINITY): Check =>
  value =>
    value.length >= min && value.length <= max

const integer =
  (min: bigint, max?: bigint): Check =>
  value =>
    /^[0-9]+$/.test(value) && BigInt(value) >= min && (max === undefined || BigInt(value) <= max)

const isBlockNumber = integer(1n, 100_000_000n)

const MAX_UINT256 = 2n ** 256n - 1n

const isTokenId: Check = value =>
  integer(0n, MAX_UINT256)(value) ||
  (/^0x[0-9a-f]+$/i.test(value) && BigInt(value.toLowerCase()) <= MAX_UINT256)

const isBlockOfSpan = integer(0n, 999_999_999_999n)

const isMinBlock: Check = value => {
  const [network = '', blockNumber = '', ...more] = value.split(':')
  return more.length === 0 && NETWORKS.some(known => known === network) && isBlockOfSpan(blockNumber)
}

const common: Record<string, Check> = {
  skip: integer(0n, 2n ** 53n - 1n),
  limit: integer(1n),
  transactionHash: length(66),
  event: oneOf(KINDS),
  network: oneOf(NETWORKS),
  createdAt: oneOf(DIRECTIONS),
  blockNumber: value => oneOf(DIRECTIONS)(value) || isBlockNumber(value),
  fromTime: value => momentOf(value, 'fromTime') !== undefined,
  toTime: value => momentOf(value, 'toTime') !== undefined,
  fromBlock: isBlockOfSpan,
  toBlock: isBlockOfSpan,
  finalized: oneOf(['true', 'false']),
  count: oneOf(['true', 'false']),
  format: oneOf(['json', 'ndjson', 'csv']),
  minBlock: isMinBlock,
}

/** The filters of token-events whose values are addresses. */
export const ADDRESSES = ['address', 'creator', 'from', 'initialOwner', 'operator', 'owner', 'to', 'user']

const CHECKS: Record<Endpoint, Record<string, Check>> = {
  'user-events': common,
  'token-events': {
    ...common,
    ...Object.fromEntries(ADDRESSES.map(name => [name, length(35, 55)])),
    tokenId: isTokenId,
  },
}

/** Parameters that accept several values, separated by commas or in repeated parameters. */
const LISTS = Object.keys({ event: 1, network: 1, address: 1, minBlock: 1 } satisfies Record<
  (typeof CLIENT_LISTS)[number],
  1
>)
const MAX_ADDRESSES = 10

export const valuesOf = (query: ApiRequest['query'], name: string): string[] => {
  const given = query.filter(pair => pair[0] === name).map(([, value]) => value)
  return LISTS.includes(name) ? given.flatMap(value => value.split(',')) : given
}

/** Returns the names of the wrong parameters, sorted and without duplicates. The request must have no cursor. */
export function offendingParameters({ endpoint, address, query }: ApiRequest): string[] {
  const badPath = endpoint === 'user-events' && !length(42)(address ?? '')
  const names = [...new Set(query.map(([name]) => name))]
  const checks = new Map(Object.entries(CHECKS[endpoint]))
  const bad = names.filter(name => {
    const values = valuesOf(query, name)
    const check = checks.get(name)
    return !check || !values.every(check) || isTooMany(name, values) || hasSpace(name, values)
  })
  const together = wrongTogether(
    query.filter(([name]) => !bad.includes(name)),
    query,
  )
  return [...new Set([...(badPath ? ['address'] : []), ...bad, ...together])].toSorted()
}

/** Most parameters may occur only once, but `blockNumber` may occur once as a filter and once as a direction. */
function isTooMany(name: string, values: string[]): boolean {
  if (name === 'address') return new Set(values.map(value => value.toLowerCase())).size > MAX_ADDRESSES
  if (LISTS.includes(name)) return false
  if (name !== 'blockNumber') return values.length > 1
  const directions = values.filter(oneOf(DIRECTIONS))
  return directions.length > 1 || values.length - directions.length > 1
}

/**
 * If a parameter has several values, none of them may contain a space. A single value with a space is valid, although
 * it matches nothing.
 */
const hasSpace = (name: string, values: string[]): boolean =>
  LISTS.includes(name) && new Set(values).size > 1 && values.some(value => /\s/.test(value))

/** Returns parameters whose values are valid on their own but invalid in combination. */
function wrongTogether(query: ApiRequest['query'], all: ApiRequest['query']): string[] {
  const [fromTime, toTime] = (['fromTime', 'toTime'] as const).map(name => {
    const [value] = valuesOf(query, name)
    return value === undefined ? undefined : momentOf(value, name)
  })
  const isSwapped = fromTime !== undefined && toTime !== undefined && fromTime > toTime
  const [fromBlock, toBlock] = ['fromBlock', 'toBlock'].map(name => valuesOf(query, name)[0])
  const areBlocksSwapped =
    fromBlock !== undefined && toBlock !== undefined && BigInt(fromBlock) > BigInt(toBlock)
  const minNetworks = valuesOf(query, 'minBlock').map(value => value.split(':')[0] ?? '')
  const isTwice = new Set(minNetworks).size < minNetworks.length
  const asked = valuesOf(query, 'network')
  const isExcluded = asked.length > 0 && minNetworks.some(network => !asked.includes(network))
  const isAlone = valuesOf(query, 'tokenId').length > 0 && valuesOf(all, 'address').length === 0
  return [
    ...(isSwapped ? ['fromTime'] : []),
    ...(areBlocksSwapped ? ['fromBlock'] : []),
    ...(isAlone ? ['tokenId'] : []),
    ...(isTwice || isExcluded ? ['minBlock'] : []),
  ]
}
