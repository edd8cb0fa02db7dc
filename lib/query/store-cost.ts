/** What a call on the store has cost. */
export interface StoreCost {
  /** Requests sent to the store. */
  calls: number
  /** Rows that the store looked at. */
  examined: number
  /** DynamoDB read units. */
  readUnits: number
}
