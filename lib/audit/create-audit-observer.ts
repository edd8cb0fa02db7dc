import { Logger } from '@aws-lambda-powertools/logger'
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics'
import { reasonOf } from '../chain/nodes/rpc-errors.ts'
import { METRICS_NAMESPACE } from '../http/metrics-namespace.ts'
import type { AuditObserver } from './create-audit-handler.ts'

/**
 * The maximum number of ids per kind of difference, so that a log line stays below 256 KB. `npm run audit` prints all
 * ids.
 */
const MOST_IDS = 500

/**
 * For each network and invocation, writes a JSON line and a line of metrics. If there are differences from the chain,
 * another JSON line contains the ids of their events. Publishes each metric in two dimension sets: `service`, and
 * `service` with `network`. Once a difference is known, `AuditDifferences` stays at least 1 until the difference's
 * block is proven to match the chain. A failed audit publishes only this metric, and only if a difference is known.
 */
export function createAuditObserver(): AuditObserver {
  const logger = new Logger()
  const metrics = new Metrics({ namespace: METRICS_NAMESPACE })

  return {
    audited({ difference, differentBlock, ...audit }) {
      const { network, first, last, auditedThrough = first - 1, blocks, events } = audit
      const blocksUnaudited = Math.max(0, last - auditedThrough)
      logger.info('audited', { ...audit, differentBlock, blocksUnaudited })
      const { blockNumber, ...ids } = difference ?? { missing: [], extra: [], different: [] }
      const known = differentBlock === undefined ? 0 : 1
      if (difference) {
        const told = Object.entries(ids).map(([kind, all]) => [kind, all.slice(0, MOST_IDS)])
        logger.error('the table differs from the chain', {
          network,
          blockNumber,
          ...Object.fromEntries(told),
        })
      }
      metrics
        .addDimensions({})
        .addDimensions({ network })
        .addMetric('AuditDifferences', MetricUnit.Count, Math.max(known, Object.values(ids).flat().length))
        .addMetric('BlocksUnaudited', MetricUnit.Count, blocksUnaudited)
        .addMetric('BlocksAudited', MetricUnit.Count, blocks)
        .addMetric('EventsAudited', MetricUnit.Count, events)
        .publishStoredMetrics()
    },
    failed(network, error, differentBlock) {
      const { name, code } = error as { name?: string; code?: string }
      // The error itself is not logged, because its message and stack may contain a node's URL and API key.
      logger.error('auditing failed', {
        network,
        differentBlock,
        error: { name, code, message: reasonOf(error) },
      })
      if (differentBlock === undefined) return
      metrics
        .addDimensions({})
        .addDimensions({ network })
        .addMetric('AuditDifferences', MetricUnit.Count, 1)
        .publishStoredMetrics()
    },
  }
}
