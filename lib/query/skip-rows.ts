import { type Budget, hasBudget } from './budget.ts'
import { isExact } from './count-matches.ts'
import type { EventStore } from './event-store.ts'
import type { PageStart } from './page.ts'
import type { NothingPlan, Plan } from './plan-query.ts'
import type { RequestCost } from './request-cost.ts'
import { openStream } from './streams/open-stream.ts'

/** What is still to be skipped, and from where. */
export interface Skipped extends PageStart {
  /** The answer ended before everything was skipped, or just there. */
  isEnd: boolean
}

/** Only so many places are held at a time; 1,500 rows are about what one call to DynamoDB can look at. */
const SKIP_STEP = 5000

/**
 * Leaves out `skip` rows without transferring their records: DynamoDB counts the rows of a list that
 * needs no filter; elsewhere the matching rows' places are read, since their order decides which are
 * skipped. Stops short when the budget ends.
 */
export async function skipRows(
  plan: Exclude<Plan, NothingPlan>,
  start: PageStart,
  { store, budget, cost }: { store: EventStore; budget: Budget; cost: RequestCost },
): Promise<Skipped> {
  const isCounted = plan.read === 'lists' && isExact(plan)
  const stream = openStream(plan, { from: start.from }, { store, select: isCounted ? 'count' : 'places' })
  let { skip } = start
  while (skip > 0 && (stream.ready() > 0 || !stream.done()) && hasBudget(budget, cost)) {
    await stream.fill(isCounted ? skip : Math.min(skip, SKIP_STEP))
    skip -= stream.skip(skip)
  }
  return { ...start, skip, from: stream.position(), isEnd: stream.done() && stream.ready() === 0 }
}
