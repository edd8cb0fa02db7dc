/** DynamoDB charges half a read unit for every 4 KB begun: the least that a call costs. */
export const MIN_CALL_UNITS = 0.5

/** An ordinary item: a transfer's, and some bytes more for those with several ids. */
const ITEM_BYTES = 285

/** So many ordinary rows cost no more than one. */
export const MIN_CALL_ROWS = Math.floor(4096 / ITEM_BYTES)

/** As many rows as cost no more than these: reading on up to the next 4 KB is free. */
export const atSamePrice = (rows: number): number =>
  Math.max(1, Math.ceil(rows / MIN_CALL_ROWS)) * MIN_CALL_ROWS
