import type { Place } from '../events/place.ts'
import type { EventRecord } from '../events/record.ts'
import type { BlockHeader } from '../ingest/chain/block-header.ts'

/** A served event, or an unreadable row in place of an event. */
export type ServedEvent =
  | { place: Place; record: EventRecord }
  | { place: Place; id: string; problem: string }

/** The number and the time of the first block to read, and the number of the last block to read. */
interface ServedRange {
  first: Pick<BlockHeader, 'number' | 'timestamp'>
  lastBlock: number
}

/**
 * Reads the served events of one network in ascending order of places. The next page is read only when the consumer
 * needs it.
 */
export type ReadServed = (range: ServedRange) => AsyncGenerator<ServedEvent>
