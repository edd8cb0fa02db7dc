import { type Budget, hasBudget } from './budget.ts'
import { hasEveryRow } from './count-matches.ts'
import type { EventStore } from './event-store.ts'
import type { NothingPlan, Plan } from './plan-query.ts'
import type { PageStart } from './query.ts'
import type { RequestCost } from './request-cost.ts'
import { openStream } from './streams/open-stream.ts'

/** Limits the places in memory. One DynamoDB call examines at most 1 MB, which is about 3,400 ordinary rows. */
const SKIP_STEP = 5000

/**
 * Transfers no records. If every row of a single list matches, DynamoDB only counts the rows. Otherwise, places are
 * read, because their order decides which rows are skipped. Stops early when the budget runs out. Resolves with the
 * number of records still to skip, where to continue, and whether the skip reached the end of the answer.
 */
export async function skipRows(
  plan: Exclude<Plan, NothingPlan>,
  start: PageStart,
  { store, budget, cost }: { store: EventStore; budget: Budget; cost: RequestCost },
) {
  const isCounted = plan.read === 'lists' && hasEveryRow(plan)
  const stream = openStream(plan, { from: start.from }, { store, select: isCounted ? 'count' : 'places' })
  let { skip } = start
  while (skip > 0 && (stream.ready() > 0 || !stream.done()) && hasBudget(budget, cost)) {
    await stream.fill(isCounted ? skip : Math.min(skip, SKIP_STEP))
    skip -= stream.skip(skip)
  }
  return { ...start, skip, from: stream.position(), isEnd: stream.done() && stream.ready() === 0 }
}
