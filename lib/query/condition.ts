import type { EventRecord } from '../events/record.ts'

/** One of the record's fields has one of these values, or holds it where it is a list. */
export interface Condition {
  fields: readonly string[]
  anyOf: readonly (string | number)[]
}

/** Whether a record meets all conditions. */
export const meetsAll = (record: EventRecord, conditions: readonly Condition[]): boolean =>
  conditions.every(({ fields, anyOf }) =>
    fields.some(field => {
      const value = (record as Readonly<Record<string, unknown>>)[field]
      return Array.isArray(value)
        ? anyOf.some(each => value.includes(each))
        : anyOf.some(each => each === value)
    }),
  )
