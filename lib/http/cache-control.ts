import { NETWORKS, type Network } from '../events/networks.ts'
import type { EventRecord } from '../events/record.ts'
import type { Query } from '../query/query.ts'

export interface AnsweredPage {
  query: Query
  records: readonly EventRecord[]
  /** Whether records follow. */
  hasNext: boolean
  isPartial: boolean
  /** Whether it tells how many records match, which new ones change. */
  isCounted?: boolean
  /** The last block of each network that is final, where that is known. */
  lastFinal?: ReadonlyMap<Network, number> | undefined
}

/** Errors and partial pages, and whatever does not say how long it may be kept. */
export const NOT_KEPT = 'no-store'
/** The documentation changes with a deployment only; whoever asks again names the tag, and is answered without a body. */
export const KEPT_FOR_MINUTES = 'public, max-age=300'
/** A burst of readers costs one read, and nobody sees events much later than they could. */
export const OPEN_ENDED = 'public, max-age=5'
/** No longer: other contracts, or older parts of a chain, may be indexed later, and browsers cannot be told. */
const FINAL = 'public, max-age=3600'

/**
 * The `Cache-Control` of a page: an hour where the chain can add nothing to it or take nothing from it, seconds
 * otherwise. An empty page is for seconds: what it lacks may be about to be loaded.
 */
export function cacheControl(page: AnsweredPage): string {
  const { query, records, isPartial, isCounted = false, lastFinal } = page
  if (isPartial) return NOT_KEPT
  const { filters } = query
  if (filters === 'unmatchable' || records.length === 0 || isCounted) return OPEN_ENDED
  const isFinal = (network: Network, blockNumber: number) => blockNumber <= (lastFinal?.get(network) ?? -1)
  const { blockNumber: [blockNumber] = [], network = NETWORKS, transactionHash } = filters

  if (!records.every(record => isFinal(record.network, record.blockNumber))) return OPEN_ENDED
  // It could be sent to another network as well, if none is named; that is rare, and soon after.
  if (transactionHash !== undefined) return FINAL
  if (blockNumber !== undefined) {
    return network.every(each => isFinal(each, blockNumber)) ? FINAL : OPEN_ENDED
  }
  return network.length === 1 && page.hasNext && isOldestFirst(query) ? FINAL : OPEN_ENDED
}

/** Then all that comes before a page's last record lies behind it on the chain. */
const isOldestFirst = ({ order }: Query): boolean =>
  order.direction === 'asc' && (order.by === 'block' || order.ties === 'asc')
