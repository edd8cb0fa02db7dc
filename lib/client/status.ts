import type { Network } from './records.ts'
import { parseJson, type Wanted } from './send.ts'

/** The version of the service, and how current each network is. */
export interface ServiceStatus {
  version: string
  /** In alphabetical order. Networks without an indexer are left out. */
  networks: NetworkStatus[]
}

export interface NetworkStatus {
  network: Network
  /**
   * The last indexed block: the service has stored every event up to this block. `timestamp` is the block's time, such
   * as `2023-06-01T12:00:05.000Z`.
   */
  indexedThrough: { blockNumber: number; timestamp: string }
  /**
   * The last finalized block, which like all earlier ones can no longer leave the chain. Absent if unknown.
   */
  finalizedBlock?: number | undefined
  /**
   * The last audited block: every block from the first indexed one to this one is proven equal to the chain. Absent if
   * no block is audited.
   */
  auditedThrough?: { blockNumber: number; timestamp: string } | undefined
  /** The age of the newest indexed block. */
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
