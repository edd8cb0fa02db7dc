import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge'
import type { Change } from '../../../client/changes.ts'
import type { EventRecord } from '../../../client/records.ts'
import { COMMON_FIELDS } from '../../../events/event-kinds.ts'
import type { Batch } from './delivery.ts'

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html */
const MAX_ENTRIES = 10
const MAX_BYTES = 256 * 1024
/** The size that EventBridge counts for an entry's `Time`. */
const TIME_BYTES = 14
const SOURCE = 'blockchain-events'
const DETAIL_TYPES = { added: 'Event Added', removed: 'Event Removed' } as const

export type BusEntry = Required<
  Pick<PutEventsRequestEntry, 'EventBusName' | 'Source' | 'DetailType' | 'Detail' | 'Time'>
>

interface BusOptions {
  busName: string
  /** The service's URL, which precedes the path in references to large records. Empty if the URL is unknown. */
  publicBaseUrl: string
}

/** Returns the entries of a batch in the order of its changes, grouped so that each group fits into one request. */
export function requestsOf(batch: Batch, options: BusOptions): BusEntry[][] {
  const requests: BusEntry[][] = []
  let bytes = 0
  for (const entry of entriesOf(batch, options)) {
    const size = sizeOf(entry)
    const last = requests.at(-1)
    if (last && last.length < MAX_ENTRIES && bytes + size <= MAX_BYTES) {
      last.push(entry)
      bytes += size
    } else {
      requests.push([entry])
      bytes = size
    }
  }
  return requests
}

function entriesOf({ id, body, firstNumber }: Batch, { busName, publicBaseUrl }: BusOptions): BusEntry[] {
  const { timestamp, data } = JSON.parse(body) as {
    timestamp: string
    data: { subscription: string; changes: Change[] }
  }
  return data.changes.map((each, index) => {
    const toEntry = (told: object): BusEntry => ({
      EventBusName: busName,
      Source: SOURCE,
      DetailType: DETAIL_TYPES[each.change],
      Time: new Date(timestamp),
      Detail: JSON.stringify({
        subscription: data.subscription,
        batch: id,
        number: firstNumber + index,
        ...told,
      }),
    })
    const entry = toEntry(each)
    const isTooLarge = each.change === 'added' && sizeOf(entry) > MAX_BYTES
    return isTooLarge ? toEntry(byReference(each.record, publicBaseUrl)) : entry
  })
}

/** Keeps the fields that all records have, and adds the URL of a query that returns the complete record. */
function byReference(record: EventRecord, publicBaseUrl: string) {
  const query = new URLSearchParams({ network: record.network, transactionHash: record.transactionHash })
  return {
    change: 'added',
    record: Object.fromEntries(COMMON_FIELDS.map(field => [field, record[field]])),
    reference: `${publicBaseUrl.replace(/\/+$/, '')}/v1/token-events?${query}`,
  }
}

const sizeOf = ({ Source, DetailType, Detail }: BusEntry) =>
  TIME_BYTES + [Source, DetailType, Detail].reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0)
