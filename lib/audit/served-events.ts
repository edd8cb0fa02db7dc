import type { BlockHeader } from '../chain/nodes/block-header.ts'
import type { Place } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'

/** A served event, or an unreadable row instead of an event. */
export type ServedEvent =
  | { place: Place; record: EventRecord }
  | { place: Place; id: string; problem: string }

type BlockTime = Pick<BlockHeader, 'number' | 'timestamp'>

interface ServedRange {
  /** The block below `first`. If given, a table is read from the end of this block on. */
  parent?: BlockTime | undefined
  first: BlockTime
  lastBlock: number
}

/** The events of one network, as a table or a service serves them. */
export interface ServedEvents {
  /** Reads events in ascending order of places. The next page is read only when the consumer needs it. */
  read(range: ServedRange): AsyncGenerator<ServedEvent>
  /**
   * Whether `read` ends after the events that state at most the last block's number. Otherwise the consumer must stop
   * reading.
   */
  endsAtLastBlock: boolean
}
