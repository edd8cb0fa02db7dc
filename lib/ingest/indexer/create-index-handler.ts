import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Context } from 'aws-lambda'
import { type ChainNode, connectNode } from '../../chain/nodes/chain-node.ts'
import { groupNodes } from '../../chain/nodes/node-group.ts'
import type { UnprovenLogs } from '../../chain/nodes/proof-level.ts'
import { NETWORKS, type Network } from '../../events/networks.ts'
import { type Clock, MONOTONIC_CLOCK, type TimeLimit, timeLimit } from '../../store/clock.ts'
import type { Checkpoint } from '../../store/format/checkpoint.ts'
import type { LeaseHolder } from '../../store/leases/acquire-lease.ts'
import { LeaseHeldError } from '../../store/leases/lease-errors.ts'
import type { IndexConfig, NetworkConfig } from './index-config.ts'
import { indexNetwork } from './index-network.ts'
import type { IndexProgress } from './index-options.ts'

/** The time reserved before the deadline, for finishing current work and releasing the lease. */
const STOP_BEFORE_MS = 15_000
/**
 * The time before the deadline at which the run is aborted. An aborted run loses no event, but does not release its
 * lease.
 */
const BREAK_OFF_BEFORE_MS = 3000
/** The largest fraction of the time limit that is reserved. It applies if the time limit is short. */
const KEPT_BACK_PART = 1 / 3

export interface IndexHandlerOptions {
  readConfig: () => Promise<IndexConfig>
  tableName: string
  /** The networks of the table. By default all networks. */
  networks?: readonly Network[] | undefined
  /** The number of days for which the log of revisions keeps an entry. */
  changesKeptDays?: number | undefined
  createClient: () => Promise<DynamoDBClient>
  observer: IndexObserver
  /** Connects to a node, instead of `connectNode`. */
  connect?: (url: string) => ChainNode
  clock?: Clock
}

/** Receives the outcome of each network in an invocation, for logs and metrics. */
export interface IndexObserver {
  indexed(progress: IndexProgress): void
  /** Called if another indexer may still be indexing the network. `checkpoint` is undefined if no block is stored. */
  busy(network: Network, checkpoint: Checkpoint | undefined): void
  failed(network: Network, error: unknown): void
  /** Called once for each reason why logs were indexed without the proof that the configuration requires. */
  unproven(network: Network, unproven: UnprovenLogs): void
}

/**
 * Creates the Lambda handler that a schedule invokes. The handler indexes every configured network as far as the time
 * allows. If a network fails, the other networks are still indexed, and the invocation fails at its end, so that the
 * alarm on errors fires.
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
  let holder: LeaseHolder | undefined
  try {
    const nodes = groupNodes(
      rpc.map(url => connect(url)),
      { clock },
    )
    const { signal } = stop
    const onUnproven = (unproven: UnprovenLogs) => observer.unproven(network, unproven)
    observer.indexed(
      await indexNetwork({
        ...options,
        ...settings,
        network,
        nodes,
        signal,
        abort: breakOff.signal,
        onUnproven,
        onWait: found => {
          holder = found
        },
      }),
    )
  } catch (error) {
    // The time was up while the run was still waiting for another indexer's heartbeat.
    const wasWaiting = holder && stop.signal.aborted && error === stop.signal.reason
    if (error instanceof LeaseHeldError || wasWaiting) return observer.busy(network, holder?.checkpoint)
    observer.failed(network, error)
    throw error
  }
}

const messageOf = (failures: unknown[]) => failures.map(error => (error as Error).message).join('; ')
