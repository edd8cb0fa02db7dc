import { createEventsClient } from '../../../../lib/client/create-events-client.ts'
import { queryString, type TokenQuery } from '../../../../lib/client/query.ts'
import type { EventRecord } from '../../../../lib/events/record.ts'
import { createRandom } from '../../../support/records/random.ts'
import type { ApiRequest } from '../../../support/requests/api-request.ts'
import { SERVICE_URL } from '../../outside/sim-service.ts'
import type { World } from '../../world.ts'
import { drawFilter } from './draw-filter.ts'

/** A question, and what its pages have together. */
export interface Walk {
  target: ApiRequest
  records: readonly EventRecord[]
}

/** Asks some questions when nothing is written any more, and reads all pages of each. */
export async function askAtRest({ life, networks }: World): Promise<Walk[]> {
  const random = createRandom(life.seed + 7)
  const client = createEventsClient(SERVICE_URL)
  const walks: Walk[] = []
  for (let left = life.ending.questions; left > 0; left -= 1) {
    const network = random.pick([...networks.values()])
    const { user, ...filter } = drawFilter(network, random)
    const order: TokenQuery = random.pick<TokenQuery>([
      {},
      { createdAt: 'asc' },
      { createdAt: 'desc' },
      ...(filter.blockNumber === undefined
        ? [{ blockNumber: 'asc' }, { createdAt: 'asc', blockNumber: 'desc' } as const]
        : []),
    ] as TokenQuery[])
    const query: TokenQuery = {
      ...filter,
      ...order,
      ...(random.chance(0.7) && { network: network.network }),
      ...(random.chance(0.3) && { finalized: true }),
      limit: 1 + random.below(20),
    }
    const isOfUser = user !== undefined && filter.address === undefined
    const asked = isOfUser ? query : { ...query, user }
    const records: EventRecord[] = []
    const each = isOfUser ? client.eachUserEvent(user, asked) : client.eachTokenEvent(asked)
    for await (const record of each) records.push(record as unknown as EventRecord)
    const pairs = [...new URLSearchParams(queryString(asked))]
    walks.push({
      target: {
        endpoint: isOfUser ? 'user-events' : 'token-events',
        address: isOfUser ? user : undefined,
        query: pairs,
      } as ApiRequest,
      records,
    })
  }
  return walks
}
