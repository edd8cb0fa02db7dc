import type { Budget } from '../budget.ts'
import type { EventStore } from '../event-store.ts'
import type { IndexedThrough } from '../indexed-through.ts'
import type { RequestCost } from '../request-cost.ts'
import type { Change } from './change.ts'
import type { ChangeStore } from './change-store.ts'
import type { FeedState } from './feed-state.ts'

/** What the steps of answering one turn share. */
export interface TurnContext {
  store: EventStore
  changeStore: ChangeStore
  budget: Budget
  /** What the turn has cost so far, which the stores count. */
  cost: RequestCost
  /** In milliseconds. */
  now: number
}

/** What a turn, or a step of it, has come to. */
export interface Turn {
  changes: Change[]
  state: FeedState
  /** How far networks are indexed, where it was read. */
  indexed?: readonly IndexedThrough[]
  /** The budget ended it before it was full, or all was read. */
  isPartial: boolean
}
