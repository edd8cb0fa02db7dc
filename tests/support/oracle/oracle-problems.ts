import type { ApiRequest, Endpoint } from '../requests/api-request.ts'

const KINDS = ['Minted', 'MintedBatch', 'TransferSingle', 'TransferBatch', 'OwnershipTransferred']
export const SERVED_NETWORKS = ['arbitrum', 'base', 'bnb-chain', 'ethereum', 'polygon']
const DIRECTIONS = ['desc', 'asc']

type Check = (value: string) => boolean

const oneOf =
  (values: string[]): Check =>
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

const common: Record<string, Check> = {
  skip: integer(0n, 2n ** 53n - 1n),
  limit: integer(1n),
  transactionHash: length(66),
  event: oneOf(KINDS),
  createdAt: oneOf(DIRECTIONS),
  blockNumber: value => oneOf(DIRECTIONS)(value) || isBlockNumber(value),
}

const tokenAddress = length(35, 55)

/** What each parameter's values must be, as the interface states it for each endpoint. */
const CHECKS: Record<Endpoint, Record<string, Check>> = {
  'user-events': { ...common, network: oneOf(SERVED_NETWORKS) },
  'token-events': {
    ...common,
    address: tokenAddress,
    owner: tokenAddress,
    initialOwner: tokenAddress,
    creator: tokenAddress,
    from: tokenAddress,
    to: tokenAddress,
    operator: tokenAddress,
  },
}

/** The names of all parameters that make a request (one without a cursor) invalid, sorted, once each. */
export function offendingParameters({ endpoint, address, query }: ApiRequest): string[] {
  const badPath = endpoint === 'user-events' && !length(42)(address ?? '')
  const bad = query.filter(([name, value]) => {
    const check = new Map(Object.entries(CHECKS[endpoint])).get(name)
    return !check?.(value) || isRepeated(query, name, value)
  })
  return [...new Set([...(badPath ? ['address'] : []), ...bad.map(([name]) => name)])].toSorted()
}

/** `blockNumber` may be given once as a filter and once as a direction, every other parameter once. */
function isRepeated(query: ApiRequest['query'], name: string, value: string): boolean {
  const meaning = (text: string) => (name === 'blockNumber' ? oneOf(DIRECTIONS)(text) : true)
  return query.filter(pair => pair[0] === name && meaning(pair[1]) === meaning(value)).length > 1
}
