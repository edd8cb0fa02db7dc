import { NETWORKS, type Network } from '../events/networks.ts'
import type { EventRecord } from '../events/record.ts'
import type { IndexedThrough } from '../query/freshness.ts'
import type { Question } from '../query/question.ts'

export interface AnsweredPage {
  question: Question
  records: readonly EventRecord[]
  /** Whether records follow. */
  hasNext: boolean
  isPartial: boolean
  freshness: readonly IndexedThrough[]
}

/** A burst of readers costs one read, and nobody sees events much later than they could. */
const OPEN_ENDED = 'public, max-age=5'
/** A transaction that names no network can be sent to another one as well; that is rare, and soon after. */
const FINAL_TRANSACTION = 'public, max-age=86400'
/** A year, the longest time that caches observe. */
const FINAL = 'public, max-age=31536000, immutable'

/**
 * The `Cache-Control` of a page: for ever where nothing can be added to it or taken from it, seconds
 * otherwise. An empty page is never for ever: older parts of a chain may be loaded later.
 */
export function cacheControl(page: AnsweredPage): string {
  const { question, records, isPartial, freshness } = page
  if (isPartial) return 'no-store'
  const { filters } = question
  if (filters === 'unmatchable' || records.length === 0) return OPEN_ENDED
  const lastFinal = new Map(freshness.map(each => [each.network, each.finalizedBlock]))
  const isFinal = (network: Network, blockNumber: number) => blockNumber <= (lastFinal.get(network) ?? -1)
  const { blockNumber, network, transactionHash } = filters

  if (!records.every(record => isFinal(record.network, record.blockNumber))) return OPEN_ENDED
  if (transactionHash !== undefined) return network === undefined ? FINAL_TRANSACTION : FINAL
  if (blockNumber !== undefined) {
    const asked = network === undefined ? NETWORKS : [network]
    return asked.every(each => isFinal(each, blockNumber)) ? FINAL : OPEN_ENDED
  }
  return network !== undefined && page.hasNext && isOldestFirst(question) ? FINAL : OPEN_ENDED
}

/** Then all that comes before a page's last record lies behind it on the chain. */
const isOldestFirst = ({ order }: Question): boolean =>
  order.direction === 'asc' && (order.by === 'block' || order.ties === 'asc')
