import type { Network } from '../events/networks.ts'
import { blockSpan, placeOf } from '../events/place.ts'
import { CorruptRowError } from '../query/errors.ts'
import type { EventTable } from '../store/event-table.ts'
import { scanEvents } from '../store/scan-table.ts'
import type { ReadServed } from './served-events.ts'

/** A sort key that is higher than every place. */
const END = '~'

/** Reads the events of a table from the list `all`, with consistent reads. */
export const readTable = (table: EventTable, network: Network): ReadServed =>
  async function* read({ first, lastBlock }) {
    const { number: blockNumber, timestamp: seconds } = first
    const block = blockSpan({ blockNumber, seconds, network, logIndex: 0 })
    // Events are read by time, and the time of the last of several blocks is not known yet. So the span has no end, and
    // the consumer stops reading after the last block.
    const span = lastBlock === blockNumber ? block : { first: block.first, last: END }
    for await (const event of scanEvents(table, network, { span })) {
      if (!(event instanceof CorruptRowError)) yield { place: placeOf(event), record: event }
      else yield { place: event.place, id: `${event.list} ${event.place}`, problem: event.message }
    }
  }
