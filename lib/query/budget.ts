import type { RequestCost } from './request-cost.ts'

/** The limits on one request's cost. When a limit is reached, the page ends early and has a cursor. */
export interface Budget {
  readUnits: number
  roundTrips: number
  /**
   * The maximum size of the records in the response, in bytes. The body is a string within the response's JSON, and
   * Lambda rejects responses of more than 6 MB.
   */
  bodyBytes: number
  /** Milliseconds left for reading. */
  timeLeftMs: () => number
}

export const DEFAULT_LIMITS = { readUnits: 1000, roundTrips: 40, bodyBytes: 5_000_000 } as const

/**
 * The time before a function's deadline that is reserved for writing the answer. Reads in flight are aborted when this
 * time begins.
 */
export const DEADLINE_RESERVE_MS = 1000

/** The timeout of one request to the store. Another round of reads begins only if this much time is left. */
export const READ_TIMEOUT_MS = 2000

/** Whether the budget allows another round of reads. */
export function hasBudget(budget: Budget, cost: RequestCost): boolean {
  const neededMs = cost.roundTrips === 0 ? 0 : READ_TIMEOUT_MS
  return (
    cost.readUnits < budget.readUnits && cost.roundTrips < budget.roundTrips && budget.timeLeftMs() > neededMs
  )
}
