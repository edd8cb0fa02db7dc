import type { Network } from '../events/networks.ts'
import type { EventRecord } from '../events/record.ts'
import type { RemovedEvent } from '../events/revision.ts'
import type { Budget } from '../query/budget.ts'
import type { EventStore } from '../query/event-store.ts'
import type { Filters } from '../query/filters.ts'
import type { IndexedThrough } from '../query/indexed-through.ts'
import type { RequestCost } from '../query/request-cost.ts'
import type { ChangeStore } from './change-store.ts'
import type { FeedState } from './feed-state.ts'

export type Change = { change: 'added'; record: EventRecord } | { change: 'removed'; record: RemovedRecord }

type RemovedRecord = Pick<RemovedEvent, 'id' | 'network' | 'blockNumber' | 'blockHash'>

export interface ChangeScope {
  networks: readonly Network[]
  /** `unmatchable` if no event can match, for example because an address is malformed. */
  filters: Pick<Filters, 'network' | 'event' | 'address' | 'user'> | 'unmatchable'
}

export interface TurnContext {
  store: EventStore
  changeStore: ChangeStore
  budget: Budget
  /** The cost of the request so far, to which the stores add the cost of each call. */
  cost: RequestCost
  /** Milliseconds since 1970. */
  now: number
}

export interface Turn {
  changes: Change[]
  state: FeedState
  /** Undefined if the checkpoints were not read. */
  indexed?: readonly IndexedThrough[]
  isPartial: boolean
}
