/** One of the record's fields has this value. */
export interface Condition {
  fields: readonly string[]
  equals: string | number
}
