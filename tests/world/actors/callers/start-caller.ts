import { isDeepStrictEqual } from 'node:util'
import { createEventsClient, NotIndexedYetError } from '../../../../lib/client/create-events-client.ts'
import { queryString, type TokenQuery } from '../../../../lib/client/query.ts'
import type { EventRecord } from '../../../../lib/events/record.ts'
import { comparatorOf, matches } from '../../../support/oracle/oracle.ts'
import type { Random } from '../../../support/records/random.ts'
import { tokenEvents } from '../../../support/requests/api-request.ts'
import { CONTRACTS } from '../../outside/log-pool.ts'
import { SERVICE_URL } from '../../outside/sim-service.ts'
import { startJob } from '../../start-job.ts'
import { breach, count, type Job, type SimNetwork, type World } from '../../world.ts'
import { isInScope } from '../indexers/chain-events.ts'
import { FINALIZED, LACKS, NEVER_TRUE, ORDER } from './caller-laws.ts'
import { drawFilter, filterOf } from './draw-filter.ts'

/** The longest pause between two pages. Writes and restarts can happen during the pause. */
const LONGEST_PAUSE_MS = 20_000

/** The caller reads and checks all pages of a query with `minBlock`, `finalized`, both or neither. */
export function startCaller(
  world: World,
  network: SimNetwork,
  random: Random,
  { onFirstPage }: { onFirstPage?: () => void } = {},
): Job {
  const { chain } = network
  const final = chain.finalized().number
  const indexed = world.table.checkpoints().get(network.network)?.blockNumber ?? -1
  const isOvertaken = onFirstPage !== undefined
  const hasMinBlock = network.isIndexed && !isOvertaken && random.chance(0.65)
  // The requested block is the first that is not indexed yet, or one of the newest indexed or final blocks.
  const next = chain.at(indexed + 1)
  const isOfNext = hasMinBlock && next !== undefined && next.events.length > 0 && random.chance(0.65)
  const known = chain.blocks.filter(({ number }) => number <= Math.max(final, indexed)).slice(-12)
  const busy = known.filter(({ events }) => events.length > 0)
  const asked = isOfNext ? next : random.pick(busy.length > 0 ? busy : known)
  const finalized = isOvertaken || random.chance(hasMinBlock ? 0.2 : 0.5)
  const isOfAsked = hasMinBlock && (isOfNext || random.chance(0.8))
  // These blocks are also in the copy that will soon replace the table.
  const lately = Math.max(chain.first, final - network.finalDistance - 4)
  const filter: TokenQuery = isOvertaken
    ? random.pick<TokenQuery>([
        {},
        { fromBlock: lately },
        { fromBlock: lately, address: CONTRACTS[0] as string },
      ])
    : isOfAsked
      ? filterOf(asked, random)
      : drawFilter(network, random)
  const isSlow = isOvertaken || random.chance(0.5)
  const query: TokenQuery = {
    ...filter,
    network: network.network,
    limit: 1 + random.below(isOvertaken ? 2 : isSlow ? 6 : 30),
    createdAt: isOvertaken ? 'asc' : random.pick(['asc', 'desc'] as const),
    ...(finalized && { finalized }),
    ...(hasMinBlock && { minBlock: `${network.network}:${asked.number}` as never }),
  }

  async function walk(job: Job): Promise<{ records: EventRecord[]; finalAtFirst: number } | undefined> {
    const client = createEventsClient(SERVICE_URL, { retries: 1 })
    const records: EventRecord[] = []
    let finalAtFirst: number | undefined
    let cursor: string | undefined
    try {
      do {
        const page = await client.tokenEvents({ ...query, cursor }, { signal: job.stop.signal })
        finalAtFirst ??= finalIn(page.finalizedThrough, network)
        records.push(...(page.records as unknown as EventRecord[]))
        if (cursor === undefined) onFirstPage?.()
        cursor = page.next
        // While an index is behind an earlier page of the walk, the walk's pages are empty.
        if ((isSlow || page.records.length === 0) && cursor !== undefined)
          await new Promise(go => setTimeout(go, 1 + random.below(isOvertaken ? 500 : LONGEST_PAUSE_MS)))
      } while (cursor !== undefined)
    } catch (error) {
      if (!(error instanceof NotIndexedYetError)) throw error
      return void count(world, 'answers that were not indexed yet')
    }
    return { records, finalAtFirst: finalAtFirst ?? -1 }
  }

  return startJob(world, {
    kind: 'caller',
    name: 'caller',
    work: async job => {
      const scope = scopeOf(world, network)
      const { copy } = world
      const { wentBack } = network
      const repaired = () => world.tally.get('reorganisations repaired') ?? 0
      const repairedBefore = repaired()
      const indexedBlock = () => world.table.checkpoints().get(network.network)?.blockNumber ?? -1
      const indexedBefore = indexedBlock()
      // An index that has not noticed a reorganisation yet still has the events of the orphaned blocks.
      const isOnChain = () => {
        const { blockNumber = -1, blockHash } = world.table.checkpoints().get(network.network) ?? {}
        return chain.at(blockNumber)?.hash === blockHash
      }
      const wasOnChain = isOnChain()
      const walked = await walk(job)
      if (!walked) return
      count(world, `walks${hasMinBlock ? ' at a block' : ''}${finalized ? ' over final events' : ''}`)
      const { records, finalAtFirst } = walked
      const question = JSON.stringify(query)
      const tell = (law: string, problems: readonly string[]) => {
        for (const problem of problems) breach(world, law, `${question}: ${problem}`)
      }
      const request = tokenEvents(queryString(query))
      tell(ORDER, outOfOrder(records, comparatorOf(request)))
      // A table that was damaged or restored meanwhile has different events.
      if (world.isTampered || copy !== world.copy || wentBack !== network.wentBack) return
      tell(NEVER_TRUE, untrueOf(records, network))
      const isOfScope = (record: EventRecord) =>
        scope !== undefined && isInScope(scope, record) && matches(record, request)
      const found = new Set(records.map(keyOf))
      const lacksUpTo = (last: number) =>
        chain.blocks
          .filter(({ number }) => number <= last)
          .flatMap(({ events }) => events.filter(record => isOfScope(record) && !found.has(keyOf(record))))
          .map(({ id, blockNumber }) => `${id} of block ${blockNumber} is missing`)
      const isScopeSame = isDeepStrictEqual(scope, scopeOf(world, network))
      // A block that is not final could be removed from the index during the walk.
      const isStill =
        wasOnChain &&
        isOnChain() &&
        (asked.number <= final ||
          (repaired() === repairedBefore &&
            chain.at(asked.number) === asked &&
            indexedBlock() >= indexedBefore))
      if (hasMinBlock && isScopeSame && isStill)
        tell(LACKS, lacksUpTo(Math.min(asked.number, finalized ? finalAtFirst : asked.number)))
      if (!finalized) return
      // Filters by transaction and by block number use an index. The index may lag unless `minBlock` is given.
      const isThroughIndex = filter.transactionHash !== undefined || filter.blockNumber !== undefined
      if (isScopeSame && !isThroughIndex) tell(FINALIZED, lacksUpTo(finalAtFirst))
      const isTrulyFinal = ({ blockNumber }: EventRecord) => blockNumber <= chain.finalized().number
      tell(
        FINALIZED,
        records
          .filter(record => !isTrulyFinal(record))
          .map(({ id, blockNumber }) => `${id} of ${blockNumber} is not final`),
      )
    },
  })
}

const scopeOf = ({ table }: World, { network }: SimNetwork) => table.checkpoints().get(network)?.scope

const finalIn = (header: string | undefined, { network }: SimNetwork): number | undefined => {
  const block = header?.split(', ').find(each => each.startsWith(`${network}=`))
  return block === undefined ? undefined : Number.parseInt(block.slice(network.length + 1), 10)
}

const keyOf = ({ id, blockHash }: EventRecord) => `${id} ${blockHash}`

function outOfOrder(
  records: readonly EventRecord[],
  compare: (a: EventRecord, b: EventRecord) => number,
): string[] {
  const at = records.findIndex(
    (record, index) => index > 0 && compare(records[index - 1] as EventRecord, record) > 0,
  )
  return at < 0 ? [] : [`${records[at]?.id} comes after ${records[at - 1]?.id}`]
}

function untrueOf(records: readonly EventRecord[], { chain }: SimNetwork): string[] {
  const isTwice = new Set(records.map(keyOf)).size < records.length
  const untrue = records.filter(record => {
    const truth = chain.everSeen.get(keyOf(record))
    return !truth || !isDeepStrictEqual({ ...truth }, { ...record })
  })
  return [...(isTwice ? ['an event came twice'] : []), ...untrue.map(record => JSON.stringify(record))]
}
