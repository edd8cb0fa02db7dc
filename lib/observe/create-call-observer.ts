import { Logger } from '@aws-lambda-powertools/logger'
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics'
import type { ObservedCall, Observer } from '../http/observer.ts'
import { CorruptRowError } from '../query/errors.ts'
import { METRICS_NAMESPACE } from './metrics-namespace.ts'

/**
 * An observer that writes a line of JSON for each call, and one of metrics, through Powertools. Metrics
 * have the dimensions `service` and `endpoint` (`none` for a path that leads to no endpoint). A counter that
 * is not in a line was not touched. Zeros are published of `PartialPages`, whose average is a share, and of
 * `CorruptRows`, whose alarm adds up two metrics that must both exist.
 */
export function createCallObserver(): Observer {
  const logger = new Logger()
  const metrics = new Metrics({ namespace: METRICS_NAMESPACE })

  function publish({ endpoint, status, durationMs }: ObservedCall, outcome: Outcome): void {
    metrics.captureColdStartMetric(process.env.AWS_LAMBDA_FUNCTION_NAME)
    metrics
      .addDimension('endpoint', endpoint ?? 'none')
      .addMetric(status === 'direct' ? outcome : `Status${status}`, MetricUnit.Count, 1)
      .addMetric('Latency', MetricUnit.Milliseconds, durationMs)
      .publishStoredMetrics()
  }

  return {
    answered({ records, isPartial, plan, cost }, call) {
      logger.info('answered', {
        ...call,
        records: records.length,
        isPartial,
        plan: plan.read,
        ...cost,
      })
      if (call.isSmokeCheck) metrics.addMetric('SmokeChecksPassed', MetricUnit.Count, 1)
      metrics
        .addMetric('CorruptRows', MetricUnit.Count, 0)
        .addMetric('PartialPages', MetricUnit.Count, isPartial ? 1 : 0)
        .addMetric('ReadUnits', MetricUnit.Count, cost.readUnits)
      publish(call, 'DirectAnswers')
    },
    refused(call, problem) {
      logger.info('refused', { ...call, problem })
      // The invocation fails, and the alarm on that leaves these out.
      if (problem === 'not-indexed-yet' && call.status === 'direct') {
        metrics.addMetric('DirectNotIndexedYet', MetricUnit.Count, 1)
      }
      publish(call, 'DirectRefusals')
    },
    failed(error, call) {
      logger.error('failed', { ...call, error: error instanceof Error ? error : new Error(String(error)) })
      if (error instanceof CorruptRowError) metrics.addMetric('CorruptRows', MetricUnit.Count, 1)
      publish(call, 'DirectFailures')
    },
  }
}

/** What counts a call that has no status, being no HTTP request. */
type Outcome = 'DirectAnswers' | 'DirectRefusals' | 'DirectFailures'
