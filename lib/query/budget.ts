import type { Ledger } from './ledger.ts'

/** What one request may cost; a page is cut short, with a cursor, rather than go beyond. */
export interface Budget {
  readUnits: number
  roundTrips: number
  /** Size of the answer's records as JSON. Lambda refuses answers of more than 6 MB. */
  bodyBytes: number
  /** Milliseconds of reading time that are left now. */
  timeLeftMs: () => number
}

export const DEFAULT_LIMITS = { readUnits: 1000, roundTrips: 40, bodyBytes: 5_000_000 } as const

/** Kept back from a function's deadline for the call under way and for writing the answer. */
export const DEADLINE_RESERVE_MS = 1000

/** Whether another round of reading may be begun. */
export function hasBudget(budget: Budget, ledger: Ledger): boolean {
  return (
    ledger.readUnits < budget.readUnits && ledger.roundTrips < budget.roundTrips && budget.timeLeftMs() > 0
  )
}
