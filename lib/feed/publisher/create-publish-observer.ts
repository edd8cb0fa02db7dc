import { Logger } from '@aws-lambda-powertools/logger'
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics'
import { METRICS_NAMESPACE } from '../../http/metrics-namespace.ts'
import type { PublishObserver, ServedSubscription } from './serving-context.ts'

/**
 * Logs every attempt. After each run, publishes each subscription's metrics in two dimension sets: `service`, and
 * `service` with `subscription`. `PublishLag` is the time, in seconds, since the moment up to which the receiver has
 * accepted all changes. This metric is not published for a subscription that has ended, or whose state cannot be read.
 */
export function createPublishObserver() {
  const logger = new Logger()
  const metrics = new Metrics({ namespace: METRICS_NAMESPACE })
  const observer: PublishObserver = {
    delivered: told => logger.info('delivered', { ...told }),
    failed: told => logger.warn('delivery failed', { ...told }),
    waiting: told => logger.warn('waiting', { ...told }),
  }
  return {
    ...observer,
    busy: () => logger.info('another publisher is already running'),
    served({ lagMs, ended, error, ...served }: ServedSubscription) {
      const { subscription, delivered, failures } = served
      const lagSeconds = lagMs === undefined ? undefined : lagMs / 1000
      if (error) {
        const { name, message } = error
        logger.error('publishing failed', { ...served, lagSeconds, error: { name, message } })
      } else if (ended === undefined) logger.info('served', { ...served, lagSeconds })
      else logger.error('ended', { ...served, reason: ended })
      if (ended === undefined && lagSeconds !== undefined)
        metrics.addMetric('PublishLag', MetricUnit.Seconds, lagSeconds)
      metrics
        .addDimensions({})
        .addDimensions({ subscription })
        .addMetric('SubscriptionsEnded', MetricUnit.Count, ended === undefined ? 0 : 1)
        .addMetric('ChangesDelivered', MetricUnit.Count, delivered)
        .addMetric('FailedAttempts', MetricUnit.Count, failures)
        .publishStoredMetrics()
    },
  }
}
