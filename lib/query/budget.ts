import type { RequestCost } from './request-cost.ts'

/** When a limit is reached, the page ends early and has a cursor. */
export interface Budget {
  readUnits: number
  roundTrips: number
  /** The records' maximum total size. The body is a string within the response's JSON, which Lambda limits to 6 MB. */
  bodyBytes: number
  timeLeftMs: () => number
}

export const DEFAULT_LIMITS = { readUnits: 1000, roundTrips: 40, bodyBytes: 5_000_000 } as const

/** Counting stops at this number of records. Counting this many ordinary rows costs about 330 read units. */
export const MAX_COUNT = 10_000

/** Reads in flight are aborted this long before a function's deadline, which leaves time to write the answer. */
export const DEADLINE_RESERVE_MS = 1000

/** The timeout of one request to the store. Another round of reads begins only if this much time is left. */
export const READ_TIMEOUT_MS = 2000

export function hasBudget(budget: Budget, cost: RequestCost): boolean {
  const neededMs = cost.roundTrips === 0 ? 0 : READ_TIMEOUT_MS
  return (
    cost.readUnits < budget.readUnits && cost.roundTrips < budget.roundTrips && budget.timeLeftMs() > neededMs
  )
}
