import type { EventRecord } from '../events/record.ts'

export interface Test {
  isMet: (record: EventRecord) => boolean
  /** The test in words, for the description of a plan. */
  words: string
}

export interface Condition extends Test {
  fields: readonly string[]
}

export const meetsAll = (record: EventRecord, conditions: readonly Condition[]): boolean =>
  conditions.every(({ isMet }) => isMet(record))

/** At least one field must equal one of the values. A field that is a list must contain one of the values. */
export const equalsOneOf = (fields: readonly string[], anyOf: readonly unknown[]): Condition => ({
  fields,
  isMet: record =>
    fields.some(field => hasOneOf((record as Readonly<Record<string, unknown>>)[field], anyOf)),
  words: `${fields.join(' or ')} = ${anyOf.join(' or ')}`,
})

const hasOneOf = (value: unknown, anyOf: readonly unknown[]): boolean =>
  Array.isArray(value) ? anyOf.some(each => value.includes(each)) : anyOf.includes(value)
