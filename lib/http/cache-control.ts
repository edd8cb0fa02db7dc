import { NETWORKS, type Network } from '../events/networks.ts'
import type { EventRecord } from '../events/record.ts'
import type { Query } from '../query/query.ts'

export interface AnsweredPage {
  query: Query
  records: readonly EventRecord[]
  hasNext: boolean
  isPartial: boolean
  networks?: readonly Network[] | undefined
  /** Whether the answer contains the number of all matching records, which new records would change. */
  isCounted?: boolean
  /** For each network, the highest final block up to which all indexes are known to be complete. */
  lastFinal?: ReadonlyMap<Network, number> | undefined
}

/** The `Cache-Control` of errors, of partial pages, and of every response that does not set this header. */
export const NOT_KEPT = 'no-store'
/**
 * The `Cache-Control` of the documentation. Most repeated requests get a 304, because only deployments change the
 * documentation.
 */
export const KEPT_FOR_MINUTES = 'public, max-age=300'
/** The `Cache-Control` of a file that never changes, because its name contains a digest of its content. */
export const KEPT_FOR_GOOD = 'public, max-age=31536000, immutable'
/**
 * The `Cache-Control` of a page that may change. With a cache, a burst of requests costs one read, and events are at
 * most 5 s late.
 */
export const OPEN_ENDED = 'public, max-age=5'
/**
 * The `Cache-Control` of a page that the chain can no longer change. The limit is an hour, because the service cannot
 * empty a browser's cache, and other contracts or older parts of a chain may be indexed later.
 */
const FINAL = 'public, max-age=3600'

/** An empty page is cached for only five seconds, because matching records may be indexed soon. */
export function cacheControl(page: AnsweredPage): string {
  const { query, records, isPartial, networks = NETWORKS, isCounted = false, lastFinal } = page
  if (isPartial) return NOT_KEPT
  const { filters } = query
  if (filters === 'unmatchable' || records.length === 0 || isCounted) return OPEN_ENDED
  const isFinal = (network: Network, blockNumber: number) => blockNumber <= (lastFinal?.get(network) ?? -1)
  const { blockNumber: [blockNumber] = [], network = networks, transactionHash } = filters

  if (!records.every(record => isFinal(record.network, record.blockNumber))) return OPEN_ENDED
  // This page counts as final, because few transactions are also sent to a second network, and those appear there soon.
  if (transactionHash !== undefined) return FINAL
  if (blockNumber !== undefined) {
    return network.every(each => isFinal(each, blockNumber)) ? FINAL : OPEN_ENDED
  }
  return network.length === 1 && page.hasNext && isOldestFirst(query) ? FINAL : OPEN_ENDED
}

/** Whether records of later blocks come after the page's last record. */
const isOldestFirst = ({ order }: Query): boolean =>
  order.direction === 'asc' && (order.by === 'block' || order.ties === 'asc')
