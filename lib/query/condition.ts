import type { EventRecord } from '../events/record.ts'

/** One of the record's fields has this value. */
export interface Condition {
  fields: readonly string[]
  equals: string | number
}

/** Whether a record meets all conditions. */
export const meetsAll = (record: EventRecord, conditions: readonly Condition[]): boolean =>
  conditions.every(({ fields, equals }) =>
    fields.some(field => (record as Readonly<Record<string, unknown>>)[field] === equals),
  )
