import type { EventRecord } from '../../../lib/events/record.ts'

export const byId = (records: readonly EventRecord[]) => records.toSorted((a, b) => (a.id < b.id ? -1 : 1))
