import type { EventsClient } from '../client/create-events-client.ts'
import type { Network } from '../events/networks.ts'
import { type Place, placeOf } from '../events/place.ts'
import { type EventRecord, eventRecordSchema } from '../events/record.ts'
import type { Contracts } from '../store/format/checkpoint.ts'
import type { ServedEvent, ServedEvents } from './served-events.ts'

/** The number of records on the largest page, and the largest number of addresses in one request. */
const RECORDS_PER_PAGE = 500
const MOST_ADDRESSES = 10

export interface ServedBy {
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
    super(
      `The service has answered with a record that cannot be read: ${JSON.stringify(record).slice(0, 200)}`,
      {
        cause,
      },
    )
  }
}

/** Reads the events of a service over HTTP, page by page. Throws the client's errors, and `UnreadableRecordError`. */
export const readOverHttp = ({ client, network, contracts, signal }: ServedBy): ServedEvents => ({
  endsAtLastBlock: true,
  async *read({ first, lastBlock }) {
    const address = contracts === 'any' || contracts.length > MOST_ADDRESSES ? undefined : contracts
    const query = {
      network,
      fromBlock: first.number,
      toBlock: lastBlock,
      blockNumber: 'asc',
      limit: RECORDS_PER_PAGE,
      ...(address && { address }),
    } as const
    for await (const record of client.eachTokenEvent(query, { signal })) yield servedEvent(record)
  },
})

function servedEvent(answered: unknown): ServedEvent {
  const { data: record, error } = eventRecordSchema.safeParse(answered)
  if (record) return { place: placeOf(record), record }
  const { id } = answered as { id?: unknown }
  const place = placeIfReadable(answered)
  if (place === undefined || typeof id !== 'string') {
    throw new UnreadableRecordError({ record: answered, cause: error })
  }
  return { place, id, problem: error.issues[0]?.message ?? '' }
}

function placeIfReadable(answered: unknown): Place | undefined {
  try {
    return placeOf(answered as EventRecord)
  } catch {
    return undefined
  }
}
