import { Logger } from '@aws-lambda-powertools/logger'
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics'
import { CorruptRowError } from '../query/errors.ts'
import { METRICS_NAMESPACE } from './metrics-namespace.ts'
import type { ObservedCall, Observer } from './observer.ts'

/**
 * Creates an observer that writes one JSON log line and one line of metrics for each call (with Powertools). Metrics
 * have the dimensions `service` and `endpoint` (`none` for a path without an endpoint). Only two counters send zeros:
 * `PartialPages`, whose average is the share of partial pages, and `CorruptRows`, whose chart would otherwise be empty.
 */
export function createCallObserver(): Observer {
  const logger = new Logger()
  const metrics = new Metrics({ namespace: METRICS_NAMESPACE })

  function publish({ endpoint, status, durationMs }: ObservedCall, outcome: Outcome): void {
    metrics.captureColdStartMetric(process.env.AWS_LAMBDA_FUNCTION_NAME)
    const version = process.env.AWS_LAMBDA_FUNCTION_VERSION
    // Failures (5xx responses, and direct calls that Lambda counts as errors) are also published with the dimension
    // `version`, for the alarms on new versions (infra/deploy/alarms/version-alarms.ts).
    if (version && outcome !== 'DirectAnswers' && !(Number(status) < 500))
      metrics.addDimensions({ version: `${endpoint}:${version}` })
    metrics
      .addDimension('endpoint', endpoint ?? 'none')
      .addMetric(status === 'direct' ? outcome : `Status${status}`, MetricUnit.Count, 1)
      .addMetric('Latency', MetricUnit.Milliseconds, durationMs)
      .publishStoredMetrics()
  }

  return {
    answered({ records, isPartial, plan, cost }, call) {
      logger.info('answered', { ...call, records: records.length, isPartial, plan: plan.read, ...cost })
      if (call.isSmokeCheck) metrics.addMetric('SmokeChecksPassed', MetricUnit.Count, 1)
      metrics
        .addMetric('CorruptRows', MetricUnit.Count, 0)
        .addMetric('PartialPages', MetricUnit.Count, isPartial ? 1 : 0)
        .addMetric('ReadUnits', MetricUnit.Count, cost.readUnits)
      publish(call, 'DirectAnswers')
    },
    refused(call, problem) {
      logger.info('refused', { ...call, problem })
      // A refused direct call is also a failed invocation, so the alarm on failed invocations subtracts this metric.
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

/** The names of the metrics that count direct calls by outcome, because direct calls have no HTTP status. */
type Outcome = 'DirectAnswers' | 'DirectRefusals' | 'DirectFailures'
