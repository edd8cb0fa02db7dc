import { type Budget, hasBudget, MAX_COUNT, READ_TIMEOUT_MS } from './budget.ts'
import { StoreUnavailableError } from './errors.ts'
import type { EventStore } from './event-store.ts'
import type { ListsPlan, Plan } from './plan-query.ts'
import type { RequestCost } from './request-cost.ts'
import { readLists } from './streams/read-lists.ts'
import { CONSISTENT_PRICE, mostRowsFor } from './streams/row-price.ts'

export interface Total {
  count: number
  /** False if more records may match. */
  isExact: boolean
}

/**
 * The budget for counting, which is separate from the page's budget. The limit `roundTrips` applies to each group of
 * `PARTS_AT_ONCE` parts. If every row matches, at most `MAX_COUNT` rows are read, but they may be large, so
 * `unitsOfMatches` replaces `readUnits`.
 */
export const COUNT_LIMITS = { readUnits: 350, unitsOfMatches: 1000, roundTrips: 20 } as const
const PARTS_AT_ONCE = 10

interface CountContext {
  store: EventStore
  budget: Pick<Budget, 'readUnits' | 'roundTrips' | 'timeLeftMs'> & { unitsOfMatches: number }
  /** The cost so far, to which the store adds the cost of each call. */
  cost: RequestCost
}

/** Parts are disjoint, so their order does not matter. If the store fails, the count ends early and is not exact. */
export async function countMatches(plan: Plan, { store, budget, cost }: CountContext): Promise<Total> {
  const parts = partsOf(plan)
  let open = parts.map(part => readLists(part, {}, { store, select: hasEveryRow(part) ? 'count' : 'places' }))
  let count = 0
  // Consistent reads cost twice as much as eventually consistent reads, so a plan with such reads gets twice the limit.
  const price = parts.some(({ isConsistent }) => isConsistent) ? CONSISTENT_PRICE : 1
  const readUnits = price * (parts.every(hasEveryRow) ? budget.unitsOfMatches : budget.readUnits)
  const roundTrips = budget.roundTrips * Math.ceil(parts.length / PARTS_AT_ONCE)
  const mayGoOn = () =>
    hasBudget({ bodyBytes: 0, ...budget, readUnits, roundTrips }, cost) &&
    budget.timeLeftMs() > READ_TIMEOUT_MS
  while (open.length > 0 && count <= MAX_COUNT && mayGoOn()) {
    const streams = open.slice(0, PARTS_AT_ONCE)
    const affordable = mostRowsFor((readUnits - cost.readUnits) / price)
    const want = Math.ceil(Math.min(MAX_COUNT + 1 - count, affordable) / streams.length)
    const [failure] = (await Promise.allSettled(streams.map(stream => stream.fill(want)))).flatMap(ended =>
      ended.status === 'rejected' ? [ended.reason] : [],
    )
    if (failure instanceof StoreUnavailableError) break
    if (failure !== undefined) throw failure
    for (const stream of streams) count += stream.skip(stream.ready())
    open = open.filter(stream => !stream.done())
  }
  return { count: Math.min(count, MAX_COUNT), isExact: open.length === 0 && count <= MAX_COUNT }
}

function partsOf(plan: Plan): ListsPlan[] {
  switch (plan.read) {
    case 'nothing':
      return []
    case 'lists':
      return [plan]
    case 'merge':
      return plan.parts
    case 'ties-reversed':
    case 'block-runs':
      return partsOf(plan.source)
  }
}

/** Whether the plan reads only one list, and every row of the list matches. */
export const hasEveryRow = ({ lists: [list, ...others] }: ListsPlan): boolean =>
  others.length === 0 && list?.where.length === 0
