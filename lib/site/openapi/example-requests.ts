import { ZERO_ADDRESS } from '../../events/event-kinds.ts'
import { routePath } from '../../http/route.ts'
import type { Resource } from '../../query/endpoints.ts'
import { WRITTEN_BASE_URL } from '../look/page-files.ts'
import type { Examples } from './example-records.ts'

export interface ExampleRequest {
  finds: string
  url: string
}

/** Each request finds events in the bundled data. */
export function exampleRequests(resource: Resource, examples: Examples): ExampleRequest[] {
  const address = resource === 'user-events' ? examples.user : ''
  return Object.entries(QUERIES[resource](examples)).map(([finds, query]) => {
    const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
    const url = `${WRITTEN_BASE_URL}${routePath(resource, address)}?${new URLSearchParams(pairs)}`
    return { finds, url }
  })
}

type Queries = Record<string, Record<string, unknown>>

const LIMIT = 5

const QUERIES: Record<Resource, (examples: Examples) => Queries> = {
  'user-events': ({ userPage: [last] }) => ({
    'The last events of a wallet': { limit: LIMIT },
    'The wallet’s events of one kind on one network since a given day, oldest first': {
      event: last.event,
      network: last.network,
      fromTime: last.createdAt.slice(0, 'YYYY-MM-DD'.length),
      createdAt: 'asc',
      limit: LIMIT,
    },
    'How many events the wallet has': { count: true, limit: 1 },
  }),
  'token-events': ({ mint: { address, network, blockNumber, tokenIds } }) => ({
    'The history of one token': { address, tokenId: tokenIds[0], limit: LIMIT },
    'The mints of a contract, as transfers from the zero address': {
      address,
      from: ZERO_ADDRESS,
      limit: LIMIT,
    },
    'The events of a network from a given block onwards': {
      network,
      fromBlock: blockNumber,
      blockNumber: 'asc',
      limit: LIMIT,
    },
  }),
  changes: ({ user }) => ({
    'The first changes in the feed': { from: 'beginning', limit: LIMIT },
    'The first changes to the events in which a wallet takes part': { user, from: 'beginning', limit: LIMIT },
  }),
}
