import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Context } from 'aws-lambda'
import { NETWORKS, type Network } from '../../events/networks.ts'
import { type Clock, MONOTONIC_CLOCK, type TimeLimit, timeLimit } from '../../store/clock.ts'
import { LeaseHeldError } from '../../store/lease-errors.ts'
import { type ChainNode, connectNode } from '../chain/chain-node.ts'
import { groupNodes } from '../chain/node-group.ts'
import type { IndexConfig, NetworkConfig } from './index-config.ts'
import { indexNetwork } from './index-network.ts'
import type { IndexProgress } from './index-options.ts'

/** Kept back from the deadline, for ending what is under way and giving the lease back. */
const STOP_BEFORE_MS = 15_000
/** By then it is broken off instead, which loses no event but keeps the lease. */
const BREAK_OFF_BEFORE_MS = 3000
/** Of a short time, no more than this part is kept back. */
const KEPT_BACK_PART = 1 / 3

export interface IndexHandlerOptions {
  readConfig: () => Promise<IndexConfig>
  tableName: string
  /** How long the log of rewinds is kept. */
  changesKeptDays?: number | undefined
  createClient: () => Promise<DynamoDBClient>
  observer: IndexObserver
  /** In place of the real nodes' connection. */
  connect?: (url: string) => ChainNode
  clock?: Clock
}

/** Told how each network's part of an invocation ended, for logs and metrics. */
export interface IndexObserver {
  indexed(progress: IndexProgress): void
  /** Another invocation is at work on it. */
  busy(network: Network): void
  failed(network: Network, error: unknown): void
}

/**
 * The Lambda handler that a schedule invokes: brings every configured network as far as the time allows.
 * A network that fails does not keep the others from going on; the invocation fails in the end, so that
 * the alarm on errors sees it.
 */
export function createIndexHandler(options: IndexHandlerOptions) {
  const { clock = MONOTONIC_CLOCK } = options
  return async (_event: unknown, context: Context): Promise<void> => {
    const config = await options.readConfig()
    const remainingMs = context.getRemainingTimeInMillis()
    const keptBackMs = Math.min(STOP_BEFORE_MS, remainingMs * KEPT_BACK_PART)
    const breakOffMs = Math.min(BREAK_OFF_BEFORE_MS, keptBackMs / 2)
    const reason = new Error('The time is up')
    const stop = timeLimit(remainingMs - keptBackMs, { clock, reason })
    const breakOff = timeLimit(remainingMs - breakOffMs, { clock, reason })
    const results = await Promise.allSettled(
      NETWORKS.map(async network => {
        const settings = config[network]
        if (settings) await indexOne(network, settings, { ...options, clock, stop, breakOff })
      }),
    )
    for (const limit of [stop, breakOff]) limit.end()
    const failures = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
    if (failures.length > 0) throw new AggregateError(failures, messageOf(failures))
  }
}

async function indexOne(
  network: Network,
  { rpc, ...settings }: NetworkConfig,
  options: IndexHandlerOptions & { clock: Clock; stop: TimeLimit; breakOff: TimeLimit },
): Promise<void> {
  const { observer, connect = connectNode, clock, stop, breakOff } = options
  try {
    const nodes = groupNodes(
      rpc.map(url => connect(url)),
      { clock },
    )
    const { signal } = stop
    observer.indexed(
      await indexNetwork({ ...options, ...settings, network, nodes, signal, abort: breakOff.signal }),
    )
  } catch (error) {
    // The time was up while it was still waiting for another one's sign of life.
    const wasWaiting = stop.signal.aborted && error === stop.signal.reason
    if (error instanceof LeaseHeldError || wasWaiting) return observer.busy(network)
    observer.failed(network, error)
    throw error
  }
}

const messageOf = (failures: unknown[]) => failures.map(error => (error as Error).message).join('; ')
