import fc from 'fast-check'
import { NETWORKS } from '../../../lib/events/networks.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { comparatorOf } from '../oracle/oracle.ts'
import { tokenEvents } from '../requests/api-request.ts'
import { eventSets } from './arbitrary-records.ts'

const OLDEST_FIRST = tokenEvents([['createdAt', 'asc']])

/**
 * Draws events in the order in which indexers write them. Each network starts at its own height, follows its chain, and
 * may be far behind the other networks. A few events arrive late.
 */
export function arrivals(seed: number, batchCount: number) {
  const history = fc.record({
    records: eventSets({ blocks: 14, events: 5, crowd: 40 }),
    heights: fc.tuple(...NETWORKS.map(() => fc.constantFrom(0.1, 0.4, 0.7, 0.9))),
    late: fc.infiniteStream(fc.integer({ min: 0, max: 9 * batchCount })),
  })
  const [drawn] = fc.sample(fc.noBias(history), { seed, numRuns: 1 })
  if (!drawn) throw new Error('fast-check generated no events')
  const parts: EventRecord[][] = Array.from({ length: batchCount + 1 }, () => [])
  NETWORKS.forEach((network, index) => {
    const chain = drawn.records
      .filter(record => record.network === network)
      .toSorted(comparatorOf(OLDEST_FIRST))
    const height = chain.length * (drawn.heights[index] ?? 1)
    chain.forEach((record, position) => {
      const late = drawn.late.next().value
      const ahead = 1 + Math.floor(((position - height) / (chain.length - height)) * batchCount)
      const part = late < batchCount ? late + 1 : Math.max(0, ahead)
      parts[Math.min(part, batchCount)]?.push(record)
    })
  })
  const [initial = [], ...batches] = parts
  return { initial, batches }
}
