import { isDeepStrictEqual } from 'node:util'
import { createEventsClient } from '../../../../lib/client/create-events-client.ts'
import { queryString, type TokenQuery } from '../../../../lib/client/query.ts'
import type { Network } from '../../../../lib/events/networks.ts'
import type { EventRecord } from '../../../../lib/events/record.ts'
import { answer, type Finality } from '../../../support/oracle/oracle.ts'
import { createRandom } from '../../../support/records/random.ts'
import { type ApiRequest, tokenEvents, userEvents } from '../../../support/requests/api-request.ts'
import { SERVICE_URL } from '../../outside/sim-service.ts'
import { finalityOf } from '../../outside/sim-table.ts'
import type { Law, World } from '../../world.ts'
import { drawFilter, drawOrder } from './draw-filter.ts'

export const CALLER_LAWS: readonly Law[] = [
  {
    sentence: 'Together, the pages of a walk contain what the interface promises.',
    atRest: async ({ world, stored }) => {
      const finality = finalityOf(world)
      return (await askAtRest(world)).flatMap(walk => compareWalk(walk, stored, finality))
    },
  },
]

interface Walk {
  target: ApiRequest
  records: readonly EventRecord[]
}

/** Describes a walk's missing and surplus events or, if only the order is wrong, the found and the expected order. */
function compareWalk(
  { target, records }: Walk,
  stored: readonly EventRecord[],
  finality: Finality,
): string[] {
  const answered = answer(stored, target, finality)
  const expected = answered.status === 200 ? answered.all.map(({ id }) => id) : answered.parameters
  const found = records.map(({ id }) => id)
  if (isDeepStrictEqual(found, expected)) return []
  const withBlock = (id: string) => `${id} of ${stored.find(record => record.id === id)?.blockNumber}`
  const lacks = expected.filter(id => !found.includes(id)).map(withBlock)
  const has = found.filter(id => !expected.includes(id)).map(withBlock)
  const how =
    lacks.length + has.length > 0
      ? `lacks ${lacks.join(', ')}; has ${has.join(', ')} (final: ${JSON.stringify(finality)})`
      : `${found.join(' ')} instead of ${expected.join(' ')}`
  return [`${JSON.stringify(target)}: ${how}`]
}

/** Sends some queries after all writes have ended, and reads all pages of each query. */
async function askAtRest({ life, networks, table }: World): Promise<Walk[]> {
  const random = createRandom(life.seed + 7)
  const client = createEventsClient(SERVICE_URL)
  const indexed = [...table.checkpoints()].filter(([, { blockNumber }]) => blockNumber !== undefined)
  const walks: Walk[] = []
  for (let left = random.pick([0, 0, 2, 4]); left > 0; left -= 1) {
    const network = random.pick([...networks.values()])
    const { user, ...filter } = drawFilter(network, random)
    const query: TokenQuery = {
      ...filter,
      ...(random.chance(0.8) && drawOrder(filter, random)),
      ...(random.chance(0.4) && { network: network.network }),
      ...(random.chance(0.3) && { finalized: true }),
      limit: 1 + random.below(20),
    }
    const isOfUser = user !== undefined && filter.address === undefined
    const asked = isOfUser ? query : { ...query, user }
    const records: EventRecord[] = []
    let cursor: string | undefined
    do {
      // Each page names other networks in `minBlock`.
      const minBlock = indexed
        .filter(([each]) => (query.network ?? each) === each && random.chance(0.4))
        .map(([each, { blockNumber }]) => `${each}:${blockNumber}` as `${Network}:${number}`)
      const wanted = { ...asked, cursor, ...(minBlock.length > 0 && { minBlock }) }
      const page = await (isOfUser ? client.userEvents(user, wanted) : client.tokenEvents(wanted))
      records.push(...(page.records as unknown as EventRecord[]))
      cursor = page.next
    } while (cursor !== undefined)
    const text = queryString(asked)
    walks.push({ target: isOfUser ? userEvents(user, text) : tokenEvents(text), records })
  }
  return walks
}
