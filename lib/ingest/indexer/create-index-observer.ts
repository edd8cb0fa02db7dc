import { Logger } from '@aws-lambda-powertools/logger'
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics'
import { reasonOf } from '../../chain/nodes/rpc-errors.ts'
import { METRICS_NAMESPACE } from '../../http/metrics-namespace.ts'
import type { IndexObserver } from './create-index-handler.ts'

/**
 * Logs every call. After `indexed` and `busy`, publishes metrics in two dimension sets: `service`, and `service` with
 * `network`. `IndexLag`, the age of the newest stored block in seconds, is omitted if no block is stored. The distance
 * from the head is omitted if the head is unknown.
 */
export function createIndexObserver(now: () => number = Date.now): IndexObserver {
  const logger = new Logger()
  const metrics = new Metrics({ namespace: METRICS_NAMESPACE })
  const addLag = ({ timestamp }: { timestamp: number }) =>
    metrics.addMetric('IndexLag', MetricUnit.Seconds, Math.max(0, now() / 1000 - timestamp))

  return {
    indexed({ network, checkpoint, head, headTimestamp, first, ...rest }) {
      const indexedThrough = checkpoint?.blockNumber
      const blocksBehind = Math.max(0, head - (indexedThrough ?? first - 1))
      // The head is unknown if no node has returned it before the run's time was up.
      const isHeadKnown = head >= 0
      const known = isHeadKnown && { head, blocksBehind }
      logger.info('indexed', { network, ...known, indexedThrough, first, ...rest })
      if (isHeadKnown) metrics.addMetric('BlocksBehindHead', MetricUnit.Count, blocksBehind)
      if (isHeadKnown && checkpoint) {
        const behindHead = Math.max(0, headTimestamp - checkpoint.timestamp)
        metrics.addMetric('SecondsBehindHead', MetricUnit.Seconds, behindHead)
      }
      if (checkpoint) addLag(checkpoint)
      metrics
        .addDimensions({})
        .addDimensions({ network })
        .addMetric('EventsIndexed', MetricUnit.Count, rest.events)
        .addMetric('EventsRemoved', MetricUnit.Count, rest.removed)
        .publishStoredMetrics()
    },
    busy(network, checkpoint) {
      logger.info('another writer may still be running', { network, indexedThrough: checkpoint?.blockNumber })
      if (!checkpoint) return
      addLag(checkpoint)
      metrics.addDimensions({}).addDimensions({ network }).publishStoredMetrics()
    },
    unproven: (network, unproven) => logger.warn('logs accepted without proof', { network, ...unproven }),
    failed(network, error) {
      const { name, code } = error as { name?: string; code?: string }
      // The error itself is not logged, because its message and stack may contain a node's address and key.
      logger.error('indexing failed', { network, error: { name, code, message: reasonOf(error) } })
    },
  }
}
