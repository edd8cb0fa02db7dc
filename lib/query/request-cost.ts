import type { CallOptions, EventStore } from './event-store.ts'
import type { StoreCost } from './store-cost.ts'

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

/** What two parts of a request, one after the other, have cost together. */
export const addCosts = (a: RequestCost, b: RequestCost): RequestCost => ({
  calls: a.calls + b.calls,
  roundTrips: a.roundTrips + b.roundTrips,
  rowsExamined: a.rowsExamined + b.rowsExamined,
  readUnits: a.readUnits + b.readUnits,
  bytes: a.bytes + b.bytes,
})

/** The store for one request: it enters what it does into the cost, and every call can be broken off. */
export function countCosts(
  store: EventStore,
  { cost, ...options }: CallOptions & { cost: RequestCost },
): EventStore {
  const enter = costCounter(cost)
  return {
    readList: reading => enter(store.readList(reading, options)),
    loadRecords: rows => enter(store.loadRecords(rows, options)),
    readBlockTime: asked => enter(store.readBlockTime(asked, options)),
    readCheckpoints: () => enter(store.readCheckpoints(options)),
  }
}

/** Enters calls of a store into a cost; those that run at once count as one round trip. */
export function costCounter(cost: RequestCost) {
  let underWay = 0
  let isCounted = false
  return async <Answer extends StoreCost>(call: Promise<Answer>): Promise<Answer> => {
    if (underWay === 0) isCounted = false
    underWay += 1
    try {
      const answer = await call
      // What is known already takes no call.
      if (!isCounted && answer.calls > 0) {
        isCounted = true
        cost.roundTrips += 1
      }
      cost.calls += answer.calls
      cost.rowsExamined += answer.examined
      cost.readUnits += answer.readUnits
      return answer
    } finally {
      underWay -= 1
    }
  }
}
