import { NETWORKS } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { CorruptRowError } from '../../../lib/query/errors.ts'
import type { EventTable } from '../../../lib/store/event-table.ts'
import { scanEvents } from '../../../lib/store/reading/scan-table.ts'

/** All events of a table, in the order of their ids. */
export async function storedEvents(table: EventTable): Promise<EventRecord[]> {
  const events: EventRecord[] = []
  for (const network of NETWORKS) {
    for await (const event of scanEvents(table, network)) {
      if (event instanceof CorruptRowError) throw event
      events.push(event)
    }
  }
  return byId(events)
}

export const byId = (records: readonly EventRecord[]) => records.toSorted((a, b) => (a.id < b.id ? -1 : 1))
