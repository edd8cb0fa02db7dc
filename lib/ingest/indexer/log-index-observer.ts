import { reasonOf } from '../chain/rpc-errors.ts'
import type { IndexObserver } from './create-index-handler.ts'

const NAMESPACE = 'BlockchainEvents'
const METRICS = [
  { Name: 'BlocksBehindHead', Unit: 'Count' },
  { Name: 'SecondsBehindHead', Unit: 'Seconds' },
  { Name: 'EventsIndexed', Unit: 'Count' },
  { Name: 'EventsRemoved', Unit: 'Count' },
]

/**
 * Writes one line of JSON for each network and invocation, which CloudWatch reads as log and as metrics.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export const logIndexObserver = (
  writeLine: (line: string) => void = line => process.stdout.write(line),
): IndexObserver => ({
  indexed({ network, checkpoint, head, headTimestamp, events, removed, ...rest }) {
    const nothingIndexed = checkpoint === undefined
    writeLine(
      line('INFO', {
        message: 'indexed',
        _aws: {
          Timestamp: Date.now(),
          CloudWatchMetrics: [{ Namespace: NAMESPACE, Dimensions: [['network']], Metrics: METRICS }],
        },
        network,
        head,
        indexedThrough: checkpoint?.blockNumber,
        BlocksBehindHead: nothingIndexed ? head + 1 - rest.first : Math.max(0, head - checkpoint.blockNumber),
        SecondsBehindHead: nothingIndexed ? 0 : Math.max(0, headTimestamp - checkpoint.timestamp),
        EventsIndexed: events,
        EventsRemoved: removed,
        ...rest,
      }),
    )
  },
  busy: network => writeLine(line('INFO', { message: 'another indexer is at work', network })),
  failed(network, error) {
    const { name, code } = error as { name?: string; code?: string }
    writeLine(
      line('ERROR', { message: 'indexing failed', network, error: { name, code, message: reasonOf(error) } }),
    )
  },
})

const line = (level: 'INFO' | 'ERROR', fields: object) =>
  `${JSON.stringify({ level, timestamp: new Date().toISOString(), ...fields })}\n`
