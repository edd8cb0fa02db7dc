/** The lowest price of a call, in read units. DynamoDB rounds the size of what a call reads up to the next 4 KB. */
export const MIN_CALL_UNITS = 0.5
const MIN_CALL_BYTES = 4096
/** The price of a consistent read as a multiple of the price of an eventually consistent read. */
export const CONSISTENT_PRICE = 2

/**
 * The size of a single transfer's item: the 95th percentile across all lists. With the median, a call would read 14
 * rows, which would often exceed 4 KB and therefore cost twice as much.
 */
const ITEM_BYTES = 308

/** The size of a single transfer's item: the 10th percentile across all lists. */
const SMALL_ITEM_BYTES = 257

/** The number of ordinary rows that one call can read at the lowest price. */
export const MIN_CALL_ROWS = Math.floor(MIN_CALL_BYTES / ITEM_BYTES)

/** Rounds up to the largest number of rows with the same price, so the extra rows are free. */
export const atSamePrice = (rows: number): number =>
  Math.max(1, Math.ceil(rows / MIN_CALL_ROWS)) * MIN_CALL_ROWS

export const mostRowsFor = (units: number): number =>
  Math.ceil(units / MIN_CALL_UNITS) * Math.floor(MIN_CALL_BYTES / SMALL_ITEM_BYTES)
