import type { DecodedItem } from './record-codec.ts'

/** A record without its long field takes less than this. */
const PLAIN_RECORD_BYTES = 1200
/** Of an id or a quantity beside its digits: two quotes, which the text of a response escapes, and a comma. */
const NUMBER_BYTES = 5

/** At least what a record takes in a function's response, where its JSON is a text within JSON, and little more. */
export function responseBytes({ record, apart }: DecodedItem): number {
  if (apart) return apart.responseBytes
  if ('tokenIds' in record) {
    return PLAIN_RECORD_BYTES + numberBytes(record.tokenIds) + numberBytes(record.quantities)
  }
  if (!('bucketHash' in record)) return PLAIN_RECORD_BYTES
  return PLAIN_RECORD_BYTES + Buffer.byteLength(JSON.stringify(JSON.stringify(record.bucketHash)))
}

const numberBytes = (numbers: readonly string[]) =>
  numbers.reduce((sum, digits) => sum + digits.length + NUMBER_BYTES, 0)
