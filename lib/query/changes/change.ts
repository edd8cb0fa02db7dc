import type { Network } from '../../events/networks.ts'
import type { EventRecord } from '../../events/record.ts'
import type { RemovedEvent } from '../../events/rewind.ts'
import type { Filters } from '../filters.ts'

/** What happens to the events that are stored: one is there, or is there no more. */
export type Change = { change: 'added'; record: EventRecord } | { change: 'removed'; record: RemovedRecord }

/** Of an event that has left its chain, what names it, and the block that it was in. */
type RemovedRecord = Pick<RemovedEvent, 'id' | 'network' | 'blockNumber' | 'blockHash'>

/** The events whose changes are asked for. */
export interface ChangeScope {
  networks: readonly Network[]
  /** `unmatchable` where no event can be asked for, as with an address that is none. */
  filters: Pick<Filters, 'network' | 'event' | 'address' | 'user'> | 'unmatchable'
}
