import { isDeepStrictEqual } from 'node:util'
import { createEventsClient, NotIndexedYetError } from '../../../../lib/client/create-events-client.ts'
import { queryString, type TokenQuery } from '../../../../lib/client/query.ts'
import type { EventRecord } from '../../../../lib/events/record.ts'
import { comparatorOf, matches } from '../../../support/oracle/oracle.ts'
import type { Random } from '../../../support/records/random.ts'
import { tokenEvents } from '../../../support/requests/api-request.ts'
import { CONTRACTS } from '../../outside/log-pool.ts'
import type { Block } from '../../outside/sim-chain.ts'
import { SERVICE_URL } from '../../outside/sim-service.ts'
import { startJob } from '../../start-job.ts'
import { type Acting, breach, count, type Job, type SimNetwork, type World } from '../../world.ts'
import { isInScope } from '../indexers/chain-events.ts'
import { drawFilter, drawOrder, filterOf } from './draw-filter.ts'

const NEVER_TRUE = 'No answer contains an event that was never on a chain, or one twice.'
const LACKS = 'A response to a request with minBlock contains every event up to that block.'
const FINALIZED = 'A response to a request with finalized contains every final event, and no other.'
const ORDER = 'The records of a walk are in order.'

/** The longest pause between two pages. Writes and restarts can happen during the pause. */
const LONGEST_PAUSE_MS = 20_000

/**
 * A walk must have a network's events up to this block, because one of its requests had the block in `minBlock`, or
 * because the block was indexed before the walk and no read lags.
 */
interface Demand {
  network: SimNetwork
  block: Block
  /** The last record of the pages before the request. Earlier events belong to these pages. */
  after: EventRecord | undefined
  /** Returns true if nothing since the request could have removed the events from the index. */
  isKept: () => boolean
}

/** The caller reads and checks all pages of a query with `minBlock`, `finalized`, both or neither. */
export function startCaller({ world, network, random }: Acting, onFirstPage?: () => void): Job {
  const { chain } = network
  const final = chain.finalized().number
  const isOvertaken = onFirstPage !== undefined
  const asked = isOvertaken || random.chance(0.4) ? [network] : [...world.networks.values()]
  const hasMinBlock = network.isIndexed && !isOvertaken && random.chance(0.65)
  const exact = hasMinBlock
    ? asked.filter(each => each === network || (each.isIndexed && random.chance(0.7)))
    : []
  // The first requested block is the next block to be indexed, or one of the newest indexed or final blocks.
  const next = chain.at(indexedBlock(world, network) + 1)
  const isOfNext = hasMinBlock && next !== undefined && next.events.length > 0 && random.chance(0.65)
  const block = isOfNext ? next : drawKnown(world, network, random)
  const finalized = isOvertaken || random.chance(hasMinBlock ? 0.2 : 0.5)
  const isOfBlock =
    hasMinBlock && (isOfNext || random.chance(0.8)) && random.chance(asked.length > 1 ? 0.3 : 1)
  // These blocks are also in the copy that will soon replace the table.
  const lately = Math.max(chain.first, final - network.finalDistance - 4)
  const filter: TokenQuery = isOvertaken
    ? random.pick<TokenQuery>([
        {},
        { fromBlock: lately },
        { fromBlock: lately, address: CONTRACTS[0] as string },
      ])
    : isOfBlock
      ? filterOf(block, random)
      : drawFilter(network, random)
  const isSlow = isOvertaken || random.chance(0.5)
  const query: TokenQuery = {
    ...filter,
    ...(isOvertaken ? { createdAt: 'asc' } : drawOrder(filter, random)),
    network: asked.map(each => each.network),
    limit: 1 + random.below(isOvertaken ? 2 : isSlow ? 6 : 30),
    ...(finalized && { finalized }),
  }
  const question = JSON.stringify(query)
  const request = tokenEvents(queryString(query))
  const compare = comparatorOf(request)

  async function walk(job: Job, demands: Demand[]) {
    const client = createEventsClient(SERVICE_URL, { retries: 1 })
    const records: EventRecord[] = []
    let finalAtFirst: ReadonlyMap<SimNetwork, number> | undefined
    let cursor: string | undefined
    let blocks = new Map(exact.map(each => [each, each === network ? block : drawKnown(world, each, random)]))
    try {
      do {
        // A later page may request higher blocks.
        if (cursor !== undefined && random.chance(0.3))
          blocks = new Map(
            [...blocks].map(([each, known]) => [each, highest(known, drawKnown(world, each, random))]),
          )
        const after = records.at(-1)
        for (const [each, wanted] of blocks) demands.push(demand(world, each, { block: wanted, after }))
        const minBlock = [...blocks].map(([each, { number }]) => `${each.network}:${number}` as const)
        const asking = { ...query, cursor, ...(minBlock.length > 0 && { minBlock }) }
        const page = await client.tokenEvents(asking, { signal: job.stop.signal })
        finalAtFirst ??= new Map(asked.map(each => [each, finalIn(page.finalizedThrough, each)]))
        records.push(...(page.records as unknown as EventRecord[]))
        if (cursor === undefined) onFirstPage?.()
        cursor = page.next
        // Until the index has caught up with an earlier page of the walk, the following pages are empty.
        if ((isSlow || page.records.length === 0) && cursor !== undefined)
          await new Promise(go => setTimeout(go, 1 + random.below(isOvertaken ? 500 : LONGEST_PAUSE_MS)))
      } while (cursor !== undefined)
    } catch (error) {
      if (!(error instanceof NotIndexedYetError)) throw error
      return void count(world, 'answers that were not indexed yet')
    }
    return { records, finalAtFirst }
  }

  return startJob(world, {
    kind: 'caller',
    name: 'caller',
    work: async job => {
      const scopes = new Map(asked.map(each => [each, scopeOf(world, each)]))
      const { copy, table } = world
      const wentBack = () => asked.map(each => each.wentBack)
      const wentBackBefore = wentBack()
      const demands: Demand[] = []
      const isIndexLate = table.lag.indexMs > 0
      const isLate = isIndexLate || table.lag.readMs > 0
      // Without lags, a walk has everything that was stored when it began.
      if (!isLate)
        for (const each of asked) {
          const indexed = each.isIndexed && each.chain.at(indexedBlock(world, each))
          if (indexed) demands.push(demand(world, each, { block: indexed, after: undefined }))
        }
      const walked = await walk(job, demands)
      if (!walked) return
      count(
        world,
        `walks${asked.length > 1 ? ' of several networks' : ''}${hasMinBlock ? ' at a block' : ''}${finalized ? ' over final events' : ''}`,
      )
      const { records, finalAtFirst } = walked
      const tell = (law: string, problems: readonly string[]) => {
        for (const problem of problems) breach(world, law, `${question}: ${problem}`)
      }
      tell(ORDER, outOfOrder(records, compare))
      // A table that was damaged or restored meanwhile has different events.
      if (world.isTampered || copy !== world.copy || !isDeepStrictEqual(wentBack(), wentBackBefore)) return
      tell(NEVER_TRUE, untrueOf(records, world))
      const found = new Set(records.map(keyOf))
      function lacksUpTo(each: SimNetwork, last: number, after?: EventRecord): string[] {
        const scope = scopes.get(each)
        if (!scope || !isDeepStrictEqual(scope, scopeOf(world, each))) return []
        return each.chain.blocks
          .filter(({ number }) => number <= last)
          .flatMap(({ events }) => events)
          .filter(record => isInScope(scope, record) && matches(record, request) && !found.has(keyOf(record)))
          .filter(record => after === undefined || compare(after, record) < 0)
          .map(({ id, blockNumber }) => `${id} of block ${blockNumber} is missing`)
      }
      const finalOf = (each: SimNetwork) => finalAtFirst.get(each) ?? -1
      for (const { network: each, block, after, isKept } of demands)
        if (isKept())
          tell(
            LACKS,
            lacksUpTo(each, finalized ? Math.min(block.number, finalOf(each)) : block.number, after),
          )
      if (!finalized) return
      // With `minBlock`, the service knows the newest final blocks of all networks. However, only the lists of the
      // networks in `minBlock` are sure to contain the events of these blocks. Without `minBlock`, a walk over several
      // networks reads an index, which may lag.
      const mayLag = (each: SimNetwork) =>
        hasMinBlock ? isLate && !exact.includes(each) : isIndexLate && asked.length > 1
      // Filters by transaction and by block number also use an index.
      if (filter.transactionHash === undefined && filter.blockNumber === undefined)
        for (const each of asked) if (!mayLag(each)) tell(FINALIZED, lacksUpTo(each, finalOf(each)))
      const isTrulyFinal = (record: EventRecord) =>
        record.blockNumber <= (chainOf(world, record)?.finalized().number ?? -1)
      tell(
        FINALIZED,
        records
          .filter(record => !isTrulyFinal(record))
          .map(({ id, blockNumber }) => `${id} of ${blockNumber} is not final`),
      )
    },
  })
}

const checkpointOf = ({ table }: World, { network }: SimNetwork) => table.checkpoints().get(network)

const indexedBlock = (world: World, network: SimNetwork) => checkpointOf(world, network)?.blockNumber ?? -1

/** Draws one of the newest indexed or final blocks, if possible one with events. */
function drawKnown(world: World, network: SimNetwork, random: Random): Block {
  const last = Math.max(network.chain.finalized().number, indexedBlock(world, network))
  const known = network.chain.blocks.filter(({ number }) => number <= last).slice(-12)
  const busy = known.filter(({ events }) => events.length > 0)
  return random.pick(busy.length > 0 ? busy : known)
}

const highest = (one: Block, other: Block) => (one.number > other.number ? one : other)

function demand(world: World, network: SimNetwork, { block, after }: Pick<Demand, 'block' | 'after'>) {
  const { chain } = network
  const final = chain.finalized().number
  const repaired = () => world.tally.get('reorganisations repaired') ?? 0
  const repairedBefore = repaired()
  const indexedBefore = indexedBlock(world, network)
  // Until an index notices a reorganisation, it has the events of the orphaned blocks.
  const isOnChain = () =>
    chain.at(indexedBlock(world, network))?.hash === checkpointOf(world, network)?.blockHash
  const wasOnChain = isOnChain()
  // A block that is not final could be removed from the index during the walk.
  const isStill = () =>
    repaired() === repairedBefore &&
    chain.at(block.number) === block &&
    indexedBlock(world, network) >= indexedBefore
  const isKept = () => wasOnChain && isOnChain() && (block.number <= final || isStill())
  return { network, block, after, isKept }
}

const scopeOf = (world: World, network: SimNetwork) => checkpointOf(world, network)?.scope

const chainOf = ({ networks }: World, { network }: EventRecord) => networks.get(network)?.chain

function finalIn(header: string | undefined, { network }: SimNetwork): number {
  const block = header?.split(', ').find(each => each.startsWith(`${network}=`))
  return block === undefined ? -1 : Number.parseInt(block.slice(network.length + 1), 10)
}

const keyOf = ({ id, blockHash }: EventRecord) => `${id} ${blockHash}`

function outOfOrder(records: readonly EventRecord[], compare: (a: EventRecord, b: EventRecord) => number) {
  const at = records.findIndex(
    (record, index) => index > 0 && compare(records[index - 1] as EventRecord, record) > 0,
  )
  return at < 0 ? [] : [`${records[at]?.id} comes after ${records[at - 1]?.id}`]
}

function untrueOf(records: readonly EventRecord[], world: World): string[] {
  const isTwice = new Set(records.map(keyOf)).size < records.length
  const untrue = records.filter(record => {
    const truth = chainOf(world, record)?.everSeen.get(keyOf(record))
    return !truth || !isDeepStrictEqual({ ...truth }, { ...record })
  })
  return [...(isTwice ? ['an event came twice'] : []), ...untrue.map(record => JSON.stringify(record))]
}
