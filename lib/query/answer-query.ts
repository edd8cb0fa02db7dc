import { NETWORKS, type Network } from '../events/networks.ts'
import type { EventRecord } from '../events/record.ts'
import { beforeDeadline } from './before-deadline.ts'
import { type Budget, DEFAULT_LIMITS, MAX_COUNT } from './budget.ts'
import { readBlockTimes } from './chain-knowledge.ts'
import { COUNT_LIMITS, countMatches, type Total } from './count-matches.ts'
import { encodeCursor } from './cursor.ts'
import type { EventStore } from './event-store.ts'
import { finalThroughOf, type IndexedThrough } from './indexed-through.ts'
import { readRuns } from './min-block/read-runs.ts'
import { type KnownCheckpoints, readCheckpoints, requireIndexed } from './min-block/require-indexed.ts'
import { type ParsedQuery, parseQuery, type QueryInput } from './parse-query.ts'
import { isOneBlock, type Plan, planFrom, planQuery } from './plan-query.ts'
import type { Page, Query } from './query.ts'
import { readPage } from './read-page.ts'
import { addCosts, countCosts, noCost, type RequestCost } from './request-cost.ts'

export interface Answer {
  query: Query
  records: EventRecord[]
  /** The cursor of the next page, or undefined on the last page. */
  next: string | undefined
  isPartial: boolean
  /** Set only if the request asks for a count. */
  total?: Total | undefined
  plan: Plan
  cost: RequestCost
}

export interface AnswerOptions {
  store: EventStore
  /** By default, there is no deadline. */
  timeLeftMs?: () => number
  limits?: Omit<Budget, 'timeLeftMs'>
  /** The last final block of each network. By default, no block is treated as final. */
  finalThrough?: ReadonlyMap<Network, number> | undefined
  /** A record's size in the response's format. Set only if a record can be larger in this format than in JSON. */
  bytesOf?: ((record: EventRecord) => number) | undefined
  /** The checkpoints, if the request has `minBlock` and the caller has already read them. */
  checkpoints?: KnownCheckpoints | undefined
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined
}

/** Returns one page. Throws `InvalidQueryError`, `NotIndexedYetError`, `CorruptRowError` or `StoreUnavailableError`. */
export const answerQuery = async (input: QueryInput, options: AnswerOptions): Promise<Answer> =>
  answerParsed(parseQuery({ ...input, networks: options.store.networks }), options)

/** Like `answerQuery`, but throws `InvalidQueryError` only if a network in `minBlock` has no indexer. */
export async function answerParsed(parsed: ParsedQuery, options: AnswerOptions): Promise<Answer> {
  const { query, queryKey, start, isCounted, minBlocks } = parsed
  const { timeLeftMs = () => Number.POSITIVE_INFINITY, limits = DEFAULT_LIMITS } = options
  const checkpoints = options.checkpoints ?? (await readCheckpoints(minBlocks, options))
  if (checkpoints) requireIndexed(minBlocks, checkpoints)
  const finalNow = checkpoints ? finalThroughOf(checkpoints.indexed) : options.finalThrough
  const { finalThrough, isBehind } = finalityOfWalk(parsed, finalNow)
  return beforeDeadline(timeLeftMs(), async signal => {
    // Each step counts its own cost, so no step uses up the budget of a later step.
    const [planning, reading, counting] = [noCost(), noCost(), noCost()]
    const storeFor = (cost: RequestCost) => countCosts(options.store, { cost, abortSignal: signal })
    const known = { finalThrough, indexed: checkpoints?.indexed ?? [], now: options.now ?? Date.now }
    const complete = await completePlan(parsed, { ...known, store: storeFor(planning) })
    const plan = planFrom(start.from, { plan: complete, order: query.order })
    const page = await readPage(plan, start, {
      store: storeFor(reading),
      budget: { ...limits, timeLeftMs },
      cost: reading,
      bytesOf: options.bytesOf,
      isOpen: isBehind,
    })
    const count = () =>
      countMatches(plan, {
        store: storeFor(counting),
        budget: { ...COUNT_LIMITS, timeLeftMs },
        cost: counting,
      })
    const total = isCounted ? await totalOf(page, { parsed, count }) : undefined
    const { records, isPartial } = page
    const next = page.next && encodeCursor({ ...page.next, ...finality(query, finalThrough) }, queryKey)
    const cost = [checkpoints?.cost ?? noCost(), planning, reading, counting].reduce(addCosts)
    return { query, records, next, isPartial, total, plan, cost }
  })
}

/**
 * The final blocks are never lower than those of the query's earlier pages, because a final block stays final.
 * `isBehind` is true if an earlier page was based on a higher final block, for example before a restart of the indexer
 * or a restore of the table. Events may then be missing, so the page must not be the last.
 */
function finalityOfWalk(
  { query: { filters }, finalBefore, networks = NETWORKS }: ParsedQuery,
  finalNow: ReadonlyMap<Network, number> | undefined,
) {
  if (filters === 'unmatchable' || !filters.finalized) return { finalThrough: finalNow, isBehind: false }
  const finalThrough = new Map(finalNow)
  let isBehind = false
  for (const network of filters.network ?? networks) {
    const [now, before] = [finalThrough.get(network) ?? -1, finalBefore[network] ?? -1]
    if (now >= before) continue
    finalThrough.set(network, before)
    isBehind = true
  }
  return { finalThrough, isBehind }
}

const finality = ({ filters }: Query, finalThrough: AnswerOptions['finalThrough'] = new Map()) =>
  filters !== 'unmatchable' && filters.finalized && { finalThrough: Object.fromEntries(finalThrough) }

interface Planning {
  store: EventStore
  finalThrough: ReadonlyMap<Network, number> | undefined
  /** How far the networks are indexed, or empty for a request without `minBlock`. */
  indexed: readonly IndexedThrough[]
  /** Milliseconds since 1970. */
  now: () => number
}

/** If the plan depends on facts about the chains, reads these facts and plans the query again. */
async function completePlan(
  { query, plan, minBlocks, networks }: ParsedQuery,
  planning: Planning,
): Promise<Plan> {
  const { store, finalThrough = new Map() } = planning
  const { filters } = query
  if (plan.read === 'nothing' || filters === 'unmatchable') return plan
  const { fromBlock, toBlock, finalized } = filters
  if (isOneBlock(filters)) {
    const runs = await readRuns(filters, { ...planning, minBlocks, finalThrough })
    return finalized || runs ? planQuery(query, { finalThrough, runs, networks }) : plan
  }
  if (!fromBlock && !toBlock && !finalized) return plan
  const blockTimes = await readBlockTimes(filters, store, networks)
  return planQuery(query, { blockTimes, finalThrough, exact: minBlocks, networks })
}

/** If the page contains every match after `skip`, nothing more is read. */
async function totalOf(
  { records, next }: Page,
  { parsed, count }: { parsed: ParsedQuery; count: () => Promise<Total> },
): Promise<Total> {
  const { skip } = parsed.start
  const seen = parsed.isFromStart && records.length > 0 ? skip + records.length : records.length
  const isAllSeen = parsed.isFromStart && next === undefined && (records.length > 0 || skip === 0)
  if (isAllSeen) return { count: Math.min(seen, MAX_COUNT), isExact: seen <= MAX_COUNT }
  const total = await count()
  // The count may read from a stale replica, so it may find fewer rows than the page.
  return total.count >= seen ? total : { count: Math.min(seen, MAX_COUNT), isExact: false }
}
