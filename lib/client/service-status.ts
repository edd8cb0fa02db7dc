import type { Network } from './records.ts'
import { parseJson, type Wanted } from './send.ts'

/** What the service is, and how current. */
export interface ServiceStatus {
  version: string
  /** In alphabetical order; those that no indexer writes are left out. */
  networks: NetworkStatus[]
}

export interface NetworkStatus {
  network: Network
  /** Every event up to this block is stored; `timestamp` is the block's time, as `2023-06-01T12:00:05.000Z`. */
  indexedThrough: { blockNumber: number; timestamp: string }
  /** Blocks up to this one can no longer leave the chain; absent where nobody knows. */
  finalizedBlock?: number | undefined
  /** From the time of the indexed block until now. */
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
