import { type FieldForm, OWN_FIELDS } from '../../events/event-kinds.ts'
import type { DecodedItem } from '../format/record-codec.ts'

/** An upper bound for the size of a record without its long field. */
const PLAIN_RECORD_BYTES = 1200
/** The bytes that an id or a quantity takes in addition to its digits: two escaped quotes and a comma. */
const NUMBER_BYTES = 5

/**
 * Returns a close upper bound for a record's size in a response, which contains the record's JSON within a string, so
 * quotes are escaped.
 */
export function responseBytes({ record, elsewhere }: DecodedItem): number {
  if (elsewhere) return elsewhere.responseBytes
  const values = record as Readonly<Record<string, unknown>>
  return OWN_FIELDS[record.event].reduce(
    (sum, [name, form]) => sum + unboundedBytes(form, values[name]),
    PLAIN_RECORD_BYTES,
  )
}

/** Returns 0 for a field whose length is limited on chain, because `PLAIN_RECORD_BYTES` covers such fields. */
function unboundedBytes(form: FieldForm, value: unknown): number {
  if (form === 'text') return Buffer.byteLength(JSON.stringify(JSON.stringify(value)))
  return form === 'ids' || form === 'quantities' ? numberBytes(value as readonly string[]) : 0
}

const numberBytes = (numbers: readonly string[]) =>
  numbers.reduce((sum, digits) => sum + digits.length + NUMBER_BYTES, 0)
