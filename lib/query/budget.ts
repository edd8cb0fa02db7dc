import type { RequestCost } from './request-cost.ts'

/** What one request may cost; a page is cut short, with a cursor, rather than go beyond. */
export interface Budget {
  readUnits: number
  roundTrips: number
  /** What the records take in the response, in which the body is a text within JSON. Lambda refuses more than 6 MB. */
  bodyBytes: number
  /** Milliseconds until the reading must have ended. */
  timeLeftMs: () => number
}

export const DEFAULT_LIMITS = { readUnits: 1000, roundTrips: 40, bodyBytes: 5_000_000 } as const

/** Kept back from a function's deadline for writing the answer, whose reading is then broken off. */
export const DEADLINE_RESERVE_MS = 1000

/** The time limit of one request to the store. A round after the first is begun only while it has so much time. */
export const REQUEST_TIMEOUT_MS = 2000

/** Whether another round of reading may be begun. */
export function hasBudget(budget: Budget, cost: RequestCost): boolean {
  const neededMs = cost.roundTrips === 0 ? 0 : REQUEST_TIMEOUT_MS
  return (
    cost.readUnits < budget.readUnits && cost.roundTrips < budget.roundTrips && budget.timeLeftMs() > neededMs
  )
}
