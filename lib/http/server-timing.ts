import type { RequestCost } from '../query/request-cost.ts'

/**
 * Returns the value of `Server-Timing` (https://www.w3.org/TR/server-timing/) with the cost of an answer. Durations are
 * in milliseconds.
 */
export function serverTiming(
  { calls, roundTrips, rowsExamined, readUnits, bytes }: RequestCost,
  durationMs: number,
): string {
  const cost = `${calls} calls, ${roundTrips} round trips, ${rowsExamined} rows, ${readUnits} read units, ${bytes} bytes`
  return `total;dur=${durationMs.toFixed(1)}, store;desc="${cost}"`
}
