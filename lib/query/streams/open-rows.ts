import type { ListsPlan, MergePlan } from '../plan-query.ts'
import type { EventStream, StreamContext, StreamScope } from './event-stream.ts'
import { mergeParts } from './merge-parts.ts'
import { readLists } from './read-lists.ts'

/** The rows of lists or of a merge, as they stand in the store. */
export function openRows(
  plan: ListsPlan | MergePlan,
  scope: StreamScope,
  context: StreamContext,
): EventStream {
  return plan.read === 'lists' ? readLists(plan, scope, context) : mergeParts(plan, scope, context)
}
