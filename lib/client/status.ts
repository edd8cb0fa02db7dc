import type { Network } from './records.ts'
import { parseJson, type Wanted } from './send.ts'

export interface ServiceStatus {
  version: string
  /** Sorted by name. A network without an indexer is not listed. */
  networks: NetworkStatus[]
}

export interface NetworkStatus {
  network: Network
  /** The service has stored every event up to this block. A `timestamp` looks like `2023-06-01T12:00:05.000Z`. */
  indexedThrough: { blockNumber: number; timestamp: string }
  /** The last final block. Like all earlier blocks, it can no longer leave the chain. Absent if unknown. */
  finalizedBlock?: number | undefined
  /** All blocks from the first indexed block to this block are proven equal to the chain. Absent if none is proven. */
  auditedThrough?: { blockNumber: number; timestamp: string } | undefined
  /** The age of the newest indexed block, in seconds. */
  lagSeconds: number
}

export const STATUS_PATH = '/v1/status'

export const STATUS: Wanted<ServiceStatus> = {
  accept: 'application/json',
  name: 'status',
  read: text => {
    const body = parseJson(text)
    const isStatus = typeof body === 'object' && body !== null && 'version' in body && 'networks' in body
    return isStatus ? (body as ServiceStatus) : undefined
  },
}
