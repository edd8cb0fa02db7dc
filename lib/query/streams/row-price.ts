/** DynamoDB charges half a read unit for every 4 KB begun: the least that a call costs. */
export const MIN_CALL_UNITS = 0.5
const MIN_CALL_BYTES = 4096
/** A consistent reading costs so many times as much. */
export const CONSISTENT_PRICE = 2

/** What 95 of 100 single transfers do not exceed in any list: a look at 14 of the middle ones would often cost twice as much. */
const ITEM_BYTES = 308

/** What 90 of 100 reach. */
const SMALL_ITEM_BYTES = 257

/** So many ordinary rows cost no more than one. */
export const MIN_CALL_ROWS = Math.floor(MIN_CALL_BYTES / ITEM_BYTES)

/** As many rows as cost no more than these: reading on up to the next 4 KB is free. */
export const atSamePrice = (rows: number): number =>
  Math.max(1, Math.ceil(rows / MIN_CALL_ROWS)) * MIN_CALL_ROWS

/** The most ordinary rows that may come for so many read units. */
export const mostRowsFor = (units: number): number =>
  Math.ceil(units / MIN_CALL_UNITS) * Math.floor(MIN_CALL_BYTES / SMALL_ITEM_BYTES)
