import type { Context } from 'aws-lambda'
import type { UnprovenLogs } from '../../chain/nodes/read-proven-logs.ts'
import type { Network } from '../../events/networks.ts'
import type { Checkpoint } from '../../store/format/checkpoint.ts'
import type { LeaseHolder } from '../../store/leases/acquire-lease.ts'
import { LeaseHeldError } from '../../store/leases/lease-errors.ts'
import { indexNetwork } from './index-network.ts'
import type { IndexOptions, IndexProgress } from './index-options.ts'
import { type NetworkRun, runNetworks, type ScheduledOptions } from './run-networks.ts'

/** The time reserved before the deadline for finishing current work and releasing the lease. */
const STOP_BEFORE_MS = 15_000
/** The run is aborted this long before the deadline. An aborted run loses no event, but does not release its lease. */
const BREAK_OFF_BEFORE_MS = 3000

export interface IndexHandlerOptions
  extends ScheduledOptions,
    Pick<IndexOptions, 'tableName' | 'networks' | 'changesKeptDays' | 'createClient'> {
  observer: IndexObserver
}

export interface IndexObserver {
  indexed(progress: IndexProgress): void
  /**
   * Called if another indexer or a repair may still be writing to the network. `checkpoint` is undefined if no block is
   * stored.
   */
  busy(network: Network, checkpoint: Checkpoint | undefined): void
  failed(network: Network, error: unknown): void
  unproven(network: Network, unproven: UnprovenLogs): void
}

/** The handler that a schedule invokes for all configured networks. See `runNetworks`. */
export const createIndexHandler =
  (options: IndexHandlerOptions) =>
  (_event: unknown, context: Context): Promise<void> =>
    runNetworks(context, {
      ...options,
      stopBeforeMs: STOP_BEFORE_MS,
      breakOffBeforeMs: BREAK_OFF_BEFORE_MS,
      work: run => indexOne(run, options),
    })

async function indexOne(
  { network, settings, nodes, stop, abort }: NetworkRun,
  options: IndexHandlerOptions,
): Promise<void> {
  const { observer } = options
  let holder: LeaseHolder | undefined
  try {
    const progress = await indexNetwork({
      ...options,
      ...settings,
      ...{ network, nodes, signal: stop, abort },
      onUnproven: unproven => observer.unproven(network, unproven),
      onWait: found => {
        holder = found
      },
      onNewScope: () => {
        holder = undefined
      },
    })
    holder = undefined
    const { checkpoint, head, first, target } = progress
    // Without a checkpoint, no metric shows the lag, so only a failed invocation shows that the nodes hang.
    if (!checkpoint && (head < 0 || first <= target)) throw stop.reason
    observer.indexed(progress)
  } catch (error) {
    // The time ran out while the run was still waiting for the lease of another process to expire.
    const wasWaiting = holder && stop.aborted && error === stop.reason
    if (error instanceof LeaseHeldError || wasWaiting) return observer.busy(network, holder?.checkpoint)
    observer.failed(network, error)
    throw error
  }
}
