/** The networks of the service; `npm run openapi` writes this file. */
export type Network = 'arbitrum' | 'base' | 'bnb-chain' | 'ethereum' | 'polygon'

const COMMON = [
  'network',
  'event',
  'transactionHash',
  'fromTime',
  'toTime',
  'fromBlock',
  'toBlock',
  'finalized',
  'blockNumber',
  'createdAt',
  'skip',
  'limit',
  'cursor',
  'count',
  'format',
  'minBlock',
] as const

/** The names of all parameters. */
export const PARAMETERS = {
  'user-events': COMMON,
  'token-events': [
    'address',
    'user',
    'tokenId',
    'creator',
    'from',
    'initialOwner',
    'operator',
    'owner',
    'to',
    ...COMMON,
  ],
  changes: ['address', 'user', 'network', 'event', 'from', 'finalized', 'limit', 'cursor'],
} as const

/** The parameters that take several values. */
export const LISTS = ['network', 'event', 'minBlock', 'address'] as const
