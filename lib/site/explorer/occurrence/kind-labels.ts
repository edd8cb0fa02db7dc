import type { EventKind } from '../../../client/records.ts'
import { KINDS as DECLARED, EVENT_KINDS, KIND_LABELS } from '../../../events/event-kinds.ts'

export const kindLabel = (kind: EventKind): string => KIND_LABELS[kind]

/**
 * The kinds in the order in which the filters list them, and the chart stacks them from the bottom up. Transfers come
 * first, because most events are transfers.
 */
export const KINDS: readonly EventKind[] = EVENT_KINDS.toSorted(
  (a, b) => Number(isTransfer(b)) - Number(isTransfer(a)),
)

function isTransfer(kind: EventKind): boolean {
  return 'operator' in DECLARED[kind].fields
}
