import type { Network } from '../events/networks.ts'
import type { EventRecord } from '../events/record.ts'
import { beforeDeadline } from './before-deadline.ts'
import { type Budget, DEFAULT_LIMITS } from './budget.ts'
import { readBlockTimes } from './chain-knowledge.ts'
import { COUNT_LIMITS, countMatches, type Total } from './count-matches.ts'
import { encodeCursor } from './cursor.ts'
import type { EventStore } from './event-store.ts'
import { finalThroughOf, type IndexedThrough } from './indexed-through.ts'
import { readRuns } from './min-block/read-runs.ts'
import { type KnownCheckpoints, readCheckpoints, requireIndexed } from './min-block/require-indexed.ts'
import type { Page } from './page.ts'
import { MAX_COUNT } from './parameters.ts'
import { type ParsedQuery, parseQuery, type QueryInput } from './parse-query.ts'
import { isOneBlock, type Plan, planQuery } from './plan-query.ts'
import type { Query } from './query.ts'
import { readPage } from './read-page.ts'
import { addCosts, countCosts, noCost, type RequestCost } from './request-cost.ts'

export interface Answer {
  query: Query
  records: EventRecord[]
  /** The cursor of the next page; undefined at the end. */
  next: string | undefined
  isPartial: boolean
  /** How many records match, where that is asked. */
  total?: Total | undefined
  plan: Plan
  cost: RequestCost
}

export interface AnswerOptions {
  store: EventStore
  /** Milliseconds until the records must be there; without one there is no hurry. */
  timeLeftMs?: () => number
  limits?: Omit<Budget, 'timeLeftMs'>
  /** Up to which block networks are final; of none by default. */
  finalThrough?: ReadonlyMap<Network, number> | undefined
  /** What a record takes in the response, where that can be more than in JSON. */
  bytesOf?: ((record: EventRecord) => number) | undefined
  /** How far networks are indexed, where the request names blocks and it has been read already. */
  checkpoints?: KnownCheckpoints | undefined
  /** Milliseconds since 1970. */
  now?: (() => number) | undefined
}

/**
 * Answers one request of either endpoint: one page of event records, or `StoreUnavailableError` where the
 * store gives none in time. Throws `InvalidQueryError`, `NotIndexedYetError`, `CorruptRowError`.
 */
export const answerQuery = async (input: QueryInput, options: AnswerOptions): Promise<Answer> =>
  answerParsed(parseQuery(input), options)

/**
 * The same for a request that has been read already. Throws `NotIndexedYetError`, `StoreUnavailableError`,
 * `CorruptRowError`, and `InvalidQueryError` for a network of `minBlock` that no indexer writes.
 */
export async function answerParsed(parsed: ParsedQuery, options: AnswerOptions): Promise<Answer> {
  const { query, queryKey, start, isCounted, minBlocks } = parsed
  const { timeLeftMs = () => Number.POSITIVE_INFINITY, limits = DEFAULT_LIMITS } = options
  const checkpoints = options.checkpoints ?? (await readCheckpoints(minBlocks, options))
  if (checkpoints) requireIndexed(minBlocks, checkpoints)
  const finalThrough = checkpoints ? finalThroughOf(checkpoints.indexed) : options.finalThrough
  return beforeDeadline(timeLeftMs(), async signal => {
    // What each of them may cost does not depend on the others.
    const [planning, reading, counting] = [noCost(), noCost(), noCost()]
    const storeFor = (cost: RequestCost) => countCosts(options.store, { cost, abortSignal: signal })
    const known = { finalThrough, indexed: checkpoints?.indexed ?? [], now: options.now ?? Date.now }
    const plan = await completePlan(parsed, { ...known, store: storeFor(planning) })
    const page = await readPage(plan, start, {
      store: storeFor(reading),
      budget: { ...limits, timeLeftMs },
      cost: reading,
      bytesOf: options.bytesOf,
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

/** What the next page needs to know of this one where only final events are asked for. */
const finality = ({ filters }: Query, finalThrough: AnswerOptions['finalThrough'] = new Map()) =>
  filters !== 'unmatchable' && filters.finalized && { finalThrough: Object.fromEntries(finalThrough) }

interface Planning {
  store: EventStore
  finalThrough: ReadonlyMap<Network, number> | undefined
  /** How far networks are indexed, where the request names blocks. */
  indexed: readonly IndexedThrough[]
  /** Milliseconds since 1970. */
  now: () => number
}

/** The plan with what is known of the chains, where it depends on that. */
async function completePlan({ query, plan, minBlocks }: ParsedQuery, planning: Planning): Promise<Plan> {
  const { store, finalThrough = new Map() } = planning
  const { filters } = query
  if (plan.read === 'nothing' || filters === 'unmatchable') return plan
  const { fromBlock, toBlock, finalized } = filters
  if (isOneBlock(filters)) {
    const runs = await readRuns(filters, { ...planning, minBlocks, finalThrough })
    return finalized || runs ? planQuery(query, { finalThrough, runs }) : plan
  }
  if (!fromBlock && !toBlock && !finalized) return plan
  const blockTimes = await readBlockTimes(filters, store)
  return planQuery(query, { blockTimes, finalThrough, exact: minBlocks })
}

/** How many records match: as many as have been seen where the page ends the answer, otherwise as counting tells. */
async function totalOf(
  { records, next }: Page,
  { parsed, count }: { parsed: ParsedQuery; count: () => Promise<Total> },
): Promise<Total> {
  const { skip } = parsed.start
  const seen = parsed.isFromStart && records.length > 0 ? skip + records.length : records.length
  const isAllSeen = parsed.isFromStart && next === undefined && (records.length > 0 || skip === 0)
  if (isAllSeen) return { count: Math.min(seen, MAX_COUNT), isExact: seen <= MAX_COUNT }
  const total = await count()
  // A replica that lags behind the one the page was read from counts less.
  return total.count >= seen ? total : { count: Math.min(seen, MAX_COUNT), isExact: false }
}
