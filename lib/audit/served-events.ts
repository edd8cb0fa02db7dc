import type { BlockHeader } from '../chain/nodes/block-header.ts'
import type { EventsClient } from '../client/create-events-client.ts'
import type { Network } from '../events/networks.ts'
import { blockSpan, endOfBlock, type Place, placeOf } from '../events/place.ts'
import { type EventRecord, eventRecordSchema } from '../events/record.ts'
import { CorruptRowError } from '../query/errors.ts'
import type { EventTable } from '../store/event-table.ts'
import type { Contracts } from '../store/format/checkpoint.ts'
import { scanEvents } from '../store/reading/scan-table.ts'

export interface ServedEvent {
  place: Place
  /** The id of the event. For an unreadable row without an id, the key of the row. */
  id: string
  /** Undefined for an unreadable row. */
  record?: EventRecord
}

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

/** A sort key that is higher than every place. */
const END = '~'

/** Reads the events of a table from the list `all`, with consistent reads. */
export const readTable = (table: EventTable, network: Network): ServedEvents => ({
  endsAtLastBlock: false,
  async *read({ parent, first, lastBlock }) {
    const partsOf = ({ number: blockNumber, timestamp: seconds }: BlockTime) => ({
      blockNumber,
      seconds,
      network,
    })
    const block = blockSpan(partsOf(first))
    // A false event may state a time between the parent and the first block.
    const start = parent ? endOfBlock(partsOf(parent), 'asc') : block.first
    // Events are read by time, and the time of the last of several blocks is not known yet, so the span has no end, and
    // the consumer stops reading after the last block.
    const span = { first: start, last: lastBlock === first.number ? block.last : END }
    for await (const event of scanEvents(table, network, { span })) {
      if (event instanceof CorruptRowError) yield { place: event.place, id: `${event.list} ${event.place}` }
      else yield servedAs(event)
    }
  },
})

const servedAs = (record: EventRecord): ServedEvent => ({ place: placeOf(record), id: record.id, record })

/** The number of records on the largest page, and the largest number of addresses in one request. */
const RECORDS_PER_PAGE = 500
const MOST_ADDRESSES = 10

interface ServedBy {
  client: EventsClient
  network: Network
  contracts: Contracts
  signal: AbortSignal
}

/** A service's response contains a value that cannot be read as an event. */
class UnreadableRecordError extends Error {
  override readonly name = 'UnreadableRecordError'
  readonly code = 'unreadable-record'

  constructor({ record, cause }: { record: unknown; cause: unknown }) {
    const beginning = JSON.stringify(record).slice(0, 200)
    super(`The service returned a record that cannot be read: ${beginning}`, { cause })
  }
}

/** Reads the events of a service over HTTP, page by page. Throws the client's errors, and `UnreadableRecordError`. */
export const readOverHttp = ({ client, network, contracts, signal }: ServedBy): ServedEvents => ({
  endsAtLastBlock: true,
  async *read({ first, lastBlock }) {
    const address = contracts === 'any' || contracts.length > MOST_ADDRESSES ? undefined : contracts
    const query = {
      ...{ network, address, fromBlock: first.number, toBlock: lastBlock },
      ...({ blockNumber: 'asc', limit: RECORDS_PER_PAGE } as const),
    }
    for await (const record of client.eachTokenEvent(query, { signal })) yield servedEvent(record)
  },
})

function servedEvent(answered: unknown): ServedEvent {
  const { data: record, error } = eventRecordSchema.safeParse(answered)
  if (record) return servedAs(record)
  const { id } = answered as { id?: unknown }
  const place = placeIfReadable(answered)
  if (place === undefined || typeof id !== 'string') {
    throw new UnreadableRecordError({ record: answered, cause: error })
  }
  return { place, id }
}

function placeIfReadable(answered: unknown): Place | undefined {
  try {
    return placeOf(answered as EventRecord)
  } catch {
    return undefined
  }
}
