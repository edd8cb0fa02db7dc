import type { Place } from '../events/place.ts'
import { hasBudget } from './budget.ts'
import type { ListChoice, ListsPlan, NothingPlan, Plan } from './plan-query.ts'
import type { Position } from './position.ts'
import type { PageStart, QueryRun } from './run-query.ts'
import { openStream } from './streams/open-stream.ts'

/** What is still to be skipped, and from where. */
export interface Skipped extends PageStart {
  /** The answer ended before everything was skipped. */
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
  run: QueryRun,
): Promise<Skipped> {
  const [only, ...others] = plan.read === 'lists' ? plan.lists : []
  if (plan.read === 'lists' && only && others.length === 0 && only.where.length === 0) {
    return countRows({ ...plan, list: only }, start, run)
  }
  const stream = openStream(plan, { from: start.from }, { store: run.store, select: 'places' })
  let { skip } = start
  while (skip > 0 && (stream.ready() > 0 || !stream.done()) && hasBudget(run.budget, run.ledger)) {
    await stream.fill(Math.min(skip, SKIP_STEP))
    skip -= stream.take(skip).length
  }
  return { ...start, skip, from: stream.position(), isEnd: skip > 0 && stream.done() && stream.ready() === 0 }
}

async function countRows(
  { list: { list, where }, network, direction }: ListsPlan & { list: ListChoice },
  start: PageStart,
  { store, budget, ledger }: QueryRun,
): Promise<Skipped> {
  let { skip } = start
  let after: Place | undefined = placeOfStart(start.from)
  while (skip > 0 && hasBudget(budget, ledger)) {
    const page = await store.readList({
      list,
      where,
      direction,
      limit: skip,
      select: 'count',
      ...(network && { network }),
      ...(after !== undefined && { after }),
    })
    skip -= page.count
    if (page.examinedThrough === undefined) return { ...start, skip, from: undefined, isEnd: true }
    after = page.examinedThrough
  }
  return {
    ...start,
    skip,
    from: after === undefined ? undefined : { at: 'place', place: after },
    isEnd: false,
  }
}

const placeOfStart = (from: Position | undefined) => (from?.at === 'place' ? from.place : undefined)
