import * as z from 'zod/mini'

const lowerCaseHex = (digits: number) => z.string().check(z.regex(new RegExp(`^0x[0-9a-f]{${digits}}$`)))

export const addressSchema = lowerCaseHex(40)
export const hashSchema = lowerCaseHex(64)
/** A decimal string, because a JSON number would lose the digits beyond 2^53. */
export const uint256Schema = z.string().check(z.regex(/^(0|[1-9][0-9]{0,77})$/))
export const countSchema = z.number().check(z.int(), z.minimum(0))
/** A block's time in UTC, in whole seconds as on the chains. */
export const timeSchema = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/))

/** An event's id, which is stable, and unique over all networks. */
export const recordId = (event: { network: string; transactionHash: string; logIndex: number }) =>
  `${event.network}:${event.transactionHash}:${event.logIndex}`

/**
 * The size of a record in a function's response, in bytes. The response's body is a string within JSON, so the record's
 * JSON is escaped, and Lambda limits the size of the escaped response.
 */
export const recordBytes = (record: object): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(record)))
