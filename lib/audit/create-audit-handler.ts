import type { Context } from 'aws-lambda'
import { type ChainNode, connectNode } from '../chain/nodes/chain-node.ts'
import { checkNodes } from '../chain/nodes/check-chain.ts'
import { groupNodes } from '../chain/nodes/node-group.ts'
import { NETWORKS, type Network } from '../events/networks.ts'
import type { IndexConfig, NetworkConfig } from '../ingest/indexer/index-config.ts'
import { type Clock, MONOTONIC_CLOCK, type TimeLimit, timeLimit } from '../store/clock.ts'
import type { EventTable } from '../store/event-table.ts'
import { networksIn, requireForm } from '../store/format/table-form.ts'
import { readIndexState } from '../store/leases/acquire-lease.ts'
import { readForm } from '../store/reading/read-form.ts'
import { auditNetwork, type NetworkAudit } from './audit-network.ts'

/** The time reserved before the deadline, for finishing the current group of blocks. */
const STOP_BEFORE_MS = 60_000
/** The time before the deadline at which the current group is aborted. The next run audits this group again. */
const BREAK_OFF_BEFORE_MS = 5000
/** The largest fraction of the time limit that is reserved. It applies if the time limit is short. */
const KEPT_BACK_PART = 1 / 3

export interface AuditHandlerOptions extends EventTable {
  readConfig: () => Promise<IndexConfig>
  observer: AuditObserver
  /** Connects to a node, instead of `connectNode`. */
  connect?: (url: string) => ChainNode
  clock?: Clock
}

/** Receives the outcome of each network in an invocation, for logs and metrics. */
export interface AuditObserver {
  audited(audit: NetworkAudit): void
  /** `differentBlock` is the block of a difference that was found before. Undefined if none is known. */
  failed(network: Network, error: unknown, differentBlock: number | undefined): void
}

/**
 * Creates the Lambda handler that a schedule invokes. The handler continues the audit of every configured network as
 * far as the time allows. If a network fails, the other networks are still audited, and the invocation fails at its
 * end, so that the alarm on errors fires. A difference is no failure, but is reported by the observer.
 */
export function createAuditHandler(options: AuditHandlerOptions) {
  const { clock = MONOTONIC_CLOCK } = options
  return async (_event: unknown, context: Context): Promise<void> => {
    const form = await readForm(options)
    requireForm(form, options, { isOneEnough: true })
    const networks = networksIn(form)
    const config = await options.readConfig()
    const remainingMs = context.getRemainingTimeInMillis()
    const keptBackMs = Math.min(STOP_BEFORE_MS, remainingMs * KEPT_BACK_PART)
    const reason = new Error('The time is up')
    const stop = timeLimit(remainingMs - keptBackMs, { clock, reason })
    const breakOff = timeLimit(remainingMs - Math.min(BREAK_OFF_BEFORE_MS, keptBackMs / 2), { clock, reason })
    const results = await Promise.allSettled(
      NETWORKS.map(async network => {
        const settings = config[network]
        if (settings) await auditOne(network, settings, { ...options, networks, clock, stop, breakOff })
      }),
    )
    for (const limit of [stop, breakOff]) limit.end()
    const failures = results.flatMap(result => (result.status === 'rejected' ? [result.reason] : []))
    if (failures.length === 0) return
    throw new AggregateError(failures, failures.map(error => (error as Error).message).join('; '))
  }
}

async function auditOne(
  network: Network,
  { rpc, chainId }: NetworkConfig,
  options: AuditHandlerOptions & { clock: Clock; stop: TimeLimit; breakOff: TimeLimit },
): Promise<void> {
  const { observer, connect = connectNode, clock, stop, breakOff, client, tableName, networks } = options
  try {
    const nodes = groupNodes(
      rpc.map(url => connect(url)),
      { clock },
    )
    const abort = breakOff.signal
    await checkNodes(nodes.members, { network, chainId }, abort)
    const audit = await auditNetwork({
      ...{ network, chainId, nodes, client, tableName, networks, abort },
      stop: stop.signal,
    })
    if (audit) observer.audited(audit)
  } catch (error) {
    const table = { client, tableName, network }
    const state = await readIndexState({ ...table, signal: breakOff.signal }).catch(() => undefined)
    observer.failed(network, error, state?.differentBlock)
    throw error
  }
}
