import type { EventRecord } from './record.ts'

/** An event's identity: stable, and unique over all networks. */
export const recordId = (event: Pick<EventRecord, 'network' | 'transactionHash' | 'logIndex'>) =>
  `${event.network}:${event.transactionHash}:${event.logIndex}`
