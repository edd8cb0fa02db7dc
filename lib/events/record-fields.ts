import * as z from 'zod/mini'

const lowerCaseHex = (digits: number) => z.string().check(z.regex(new RegExp(`^0x[0-9a-f]{${digits}}$`)))

export const addressSchema = lowerCaseHex(40)
export const hashSchema = lowerCaseHex(64)
/** A decimal string, because a JSON number above 2^53 would lose digits. */
export const uint256Schema = z.string().check(z.regex(/^(0|[1-9][0-9]{0,77})$/))
export const countSchema = z.number().check(z.int(), z.minimum(0))
/** A block's time in UTC, in whole seconds, because the chains count in whole seconds. */
export const timeSchema = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/))

/** The id never changes, and is unique across all networks. */
export const recordId = (event: { network: string; transactionHash: string; logIndex: number }) =>
  `${event.network}:${event.transactionHash}:${event.logIndex}`

/**
 * The maximum number of bytes that a record takes in a function's response. The response contains the record's JSON as
 * an escaped string, and AWS Lambda returns at most 6 MB. A record of the maximum size has about 25,000 ids and as many
 * quantities if all have the full length, or many more if they are short.
 */
export const MAX_RECORD_BYTES = 4 * 1024 * 1024

/** The size of a record in a function's response, which contains the record's JSON as an escaped string. */
export const recordBytes = (record: object): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(record)))
