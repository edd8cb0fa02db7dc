import { type FieldForm, OWN_FIELDS } from '../../events/event-kinds.ts'
import type { DecodedItem } from '../format/record-codec.ts'

/** An upper bound of the size of a record without its long field. */
const PLAIN_RECORD_BYTES = 1200
/** The number of bytes that an id or a quantity takes in addition to its digits: two escaped quotes and a comma. */
const NUMBER_BYTES = 5

/**
 * A close upper bound of the record's size in a function's response, where the record's JSON is part of a string, so
 * its quotes are escaped.
 */
export function responseBytes({ record, elsewhere }: DecodedItem): number {
  if (elsewhere) return elsewhere.responseBytes
  const values = record as Readonly<Record<string, unknown>>
  return OWN_FIELDS[record.event].reduce(
    (sum, [name, form]) => sum + unboundedBytes(form, values[name]),
    PLAIN_RECORD_BYTES,
  )
}

/**
 * The size of a field whose length has no limit on chain. 0 for any other field, because `PLAIN_RECORD_BYTES` includes
 * it.
 */
function unboundedBytes(form: FieldForm, value: unknown): number {
  if (form === 'text') return Buffer.byteLength(JSON.stringify(JSON.stringify(value)))
  return form === 'ids' || form === 'quantities' ? numberBytes(value as readonly string[]) : 0
}

const numberBytes = (numbers: readonly string[]) =>
  numbers.reduce((sum, digits) => sum + digits.length + NUMBER_BYTES, 0)
