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
  /** The event's id. For an unreadable row of a table, the row's key. */
  id: string
  /** Undefined for an unreadable row. */
  record?: EventRecord
}

type BlockTime = Pick<BlockHeader, 'number' | 'timestamp'>

interface ServedRange {
  /** The block below `first`. If this block is given, a table is read from the block's end. */
  parent?: BlockTime | undefined
  first: BlockTime
  lastBlock: number
}

export interface ServedEvents {
  /** Reads events in ascending order of their places. Requests a page only when the consumer needs it. */
  read(range: ServedRange): AsyncGenerator<ServedEvent>
  /** Whether `read` yields only events up to block `lastBlock`. If not, the consumer must stop after this block. */
  endsAtLastBlock: boolean
}

/** A sort key that is higher than every place. */
const END = '~'

/** Reads a table's events from the list `all`, with consistent reads. */
export const readTable = (table: EventTable, network: Network): ServedEvents => ({
  endsAtLastBlock: false,
  async *read({ parent, first, lastBlock }) {
    const partsOf = ({ number: blockNumber, timestamp: seconds }: BlockTime) => ({
      blockNumber,
      seconds,
      network,
    })
    const block = blockSpan(partsOf(first))
    // The span starts at the parent, because a false event may have a time between the parent and the first block.
    const start = parent ? endOfBlock(partsOf(parent), 'asc') : block.first
    // Events are ordered by time, and if there are several blocks, the time of the last block is not known yet. The
    // span is therefore open-ended, and the consumer stops reading after the last block.
    const span = { first: start, last: lastBlock === first.number ? block.last : END }
    for await (const event of scanEvents(table, network, { span })) {
      if (event instanceof CorruptRowError) yield { place: event.place, id: `${event.list} ${event.place}` }
      else yield servedAs(event)
    }
  },
})

const servedAs = (record: EventRecord): ServedEvent => ({ place: placeOf(record), id: record.id, record })

/** The API's maximum page size, in records, and its maximum number of addresses in a request. */
const RECORDS_PER_PAGE = 500
const MOST_ADDRESSES = 10

interface ServedBy {
  client: EventsClient
  network: Network
  contracts: Contracts
  signal: AbortSignal
}

/** Throws an error for a record that cannot be read, and any error from the client. */
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
    const beginning = JSON.stringify(answered).slice(0, 200)
    throw new Error(`The service returned a record that cannot be read: ${beginning}`, { cause: error })
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
