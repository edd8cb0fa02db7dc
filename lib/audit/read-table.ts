import type { Network } from '../events/networks.ts'
import { blockSpan, endOfBlock, placeOf } from '../events/place.ts'
import { CorruptRowError } from '../query/errors.ts'
import type { EventTable } from '../store/event-table.ts'
import { scanEvents } from '../store/reading/scan-table.ts'
import type { ServedEvents } from './served-events.ts'

/** A sort key that is higher than every place. */
const END = '~'

/** Reads the events of a table from the list `all`, with consistent reads. */
export const readTable = (table: EventTable, network: Network): ServedEvents => ({
  endsAtLastBlock: false,
  async *read({ parent, first, lastBlock }) {
    const partsOf = (block: typeof first) => ({
      ...{ blockNumber: block.number, seconds: block.timestamp },
      ...{ network, logIndex: 0 },
    })
    const block = blockSpan(partsOf(first))
    // A false event may state a time between the parent and the first block.
    const start = parent ? endOfBlock(partsOf(parent), 'asc') : block.first
    // Events are read by time, and the time of the last of several blocks is not known yet. So the span has no end, and
    // the consumer stops reading after the last block.
    const span = { first: start, last: lastBlock === first.number ? block.last : END }
    for await (const event of scanEvents(table, network, { span })) {
      if (!(event instanceof CorruptRowError)) yield { place: placeOf(event), record: event }
      else yield { place: event.place, id: `${event.list} ${event.place}`, problem: event.message }
    }
  },
})
