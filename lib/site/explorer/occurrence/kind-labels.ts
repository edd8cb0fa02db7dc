import type { EventKind } from '../../../client/records.ts'
import { KINDS as DECLARED, EVENT_KINDS, KIND_LABELS } from '../../../events/event-kinds.ts'

export const kindLabel = (kind: EventKind): string => KIND_LABELS[kind]

/** The order of the filters, and of the chart from the bottom up. Most events are transfers, so these come first. */
export const KINDS: readonly EventKind[] = EVENT_KINDS.toSorted(
  (a, b) => Number(isTransfer(b)) - Number(isTransfer(a)),
)

function isTransfer(kind: EventKind): boolean {
  return 'operator' in DECLARED[kind].fields
}
