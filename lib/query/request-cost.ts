import type { CallOptions, EventStore, StoreCost } from './event-store.ts'

/** What answering one request has cost so far. */
export interface RequestCost {
  /** Requests to the store. */
  calls: number
  /** Requests to the store of which each had to wait for the one before. */
  roundTrips: number
  /** Rows that the store looked at, whether they matched or not. */
  rowsExamined: number
  /** DynamoDB read units (RCU), as the store reports them. */
  readUnits: number
  /** About what the records take in the response, as the budget reckons it. */
  bytes: number
}

export const noCost = (): RequestCost => ({
  calls: 0,
  roundTrips: 0,
  rowsExamined: 0,
  readUnits: 0,
  bytes: 0,
})

/**
 * The store for one request: it enters what it does into the cost, and every call can be broken off.
 * Calls that run at once count as one round trip.
 */
export function countCosts(
  store: EventStore,
  { cost, ...options }: CallOptions & { cost: RequestCost },
): EventStore {
  let underWay = 0
  async function enter<Answer extends StoreCost>(call: Promise<Answer>): Promise<Answer> {
    const isFirst = underWay === 0
    underWay += 1
    try {
      const answer = await call
      if (isFirst && answer.calls > 0) cost.roundTrips += 1
      cost.calls += answer.calls
      cost.rowsExamined += answer.examined
      cost.readUnits += answer.readUnits
      return answer
    } finally {
      underWay -= 1
    }
  }
  return {
    readList: reading => enter(store.readList(reading, options)),
    loadRecords: rows => enter(store.loadRecords(rows, options)),
  }
}
