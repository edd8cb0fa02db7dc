import type { CallOptions, EventStore, StoreCost } from './event-store.ts'

export interface RequestCost {
  calls: number
  /** Parallel requests count as one round trip. */
  roundTrips: number
  rowsExamined: number
  /** DynamoDB read units (RCU), as the store reports them. */
  readUnits: number
  /** The records' size, estimated from `EventRow.bytes`. */
  bytes: number
}

export const noCost = (): RequestCost => ({
  calls: 0,
  roundTrips: 0,
  rowsExamined: 0,
  readUnits: 0,
  bytes: 0,
})

/** Adds the costs of two consecutive parts of a request. */
export const addCosts = (a: RequestCost, b: RequestCost): RequestCost => ({
  calls: a.calls + b.calls,
  roundTrips: a.roundTrips + b.roundTrips,
  rowsExamined: a.rowsExamined + b.rowsExamined,
  readUnits: a.readUnits + b.readUnits,
  bytes: a.bytes + b.bytes,
})

/** Adds the cost of each call to `cost`, and passes the abort signal to each call. */
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

export function costCounter(cost: RequestCost) {
  let underWay = 0
  let isCounted = false
  return async <Answer extends StoreCost>(call: Promise<Answer>): Promise<Answer> => {
    if (underWay === 0) isCounted = false
    underWay += 1
    try {
      const answer = await call
      // A cached answer is not counted, because it needed no call.
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
