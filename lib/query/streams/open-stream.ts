import type { NothingPlan, Plan } from '../plan-query.ts'
import type { EventStream, StreamContext, StreamScope } from './event-stream.ts'
import { openRows } from './merge-parts.ts'
import { readBlockRuns } from './read-block-runs.ts'
import { reverseTies } from './reverse-ties.ts'

export function openStream(
  plan: Exclude<Plan, NothingPlan>,
  scope: Pick<StreamScope, 'from'>,
  context: StreamContext,
): EventStream {
  if (plan.read === 'ties-reversed') return reverseTies(plan, scope, context)
  if (plan.read === 'block-runs') return readBlockRuns(plan, scope, context)
  return openRows(plan, scope, context)
}
