import type { Context } from 'aws-lambda'
import { checkNodes } from '../chain/nodes/check-chain.ts'
import type { Network } from '../events/networks.ts'
import { type NetworkRun, runNetworks, type ScheduledOptions } from '../ingest/indexer/run-networks.ts'
import type { EventTable } from '../store/event-table.ts'
import { networksIn, requireForm } from '../store/format/table-form.ts'
import { readIndexState } from '../store/leases/acquire-lease.ts'
import { readForm } from '../store/writing/record-form.ts'
import { auditNetwork, type NetworkAudit } from './audit-network.ts'

/** `stop` is aborted this long before the deadline, so that the audit can finish the current group of blocks. */
const STOP_BEFORE_MS = 60_000
/** The current group is aborted this long before the deadline. The next run audits this group again. */
const BREAK_OFF_BEFORE_MS = 5000

export interface AuditHandlerOptions extends EventTable, ScheduledOptions {
  observer: AuditObserver
}

export interface AuditObserver {
  audited(audit: NetworkAudit): void
  /** `differentBlock` is the lowest block with a recorded difference, or undefined if no difference is recorded. */
  failed(network: Network, error: unknown, differentBlock: number | undefined): void
}

/** Continues each network's audit as far as time allows (see `runNetworks`). Does not fail if it finds differences. */
export function createAuditHandler(options: AuditHandlerOptions) {
  return async (_event: unknown, context: Context): Promise<void> => {
    const form = await readForm(options)
    requireForm(form, options, { isOneEnough: true })
    const networks = networksIn(form)
    await runNetworks(context, {
      ...options,
      stopBeforeMs: STOP_BEFORE_MS,
      breakOffBeforeMs: BREAK_OFF_BEFORE_MS,
      work: run => auditOne(run, { ...options, networks }),
    })
  }
}

async function auditOne(
  { network, settings: { chainId }, nodes, stop, abort }: NetworkRun,
  { observer, client, tableName, networks }: AuditHandlerOptions,
): Promise<void> {
  const table = { client, tableName, networks }
  try {
    await checkNodes(nodes.members, { network, chainId }, abort)
    const audit = await auditNetwork({ ...table, network, chainId, nodes, stop, abort })
    if (audit) observer.audited(audit)
  } catch (error) {
    const state = await readIndexState({ ...table, network, signal: abort }).catch(() => undefined)
    observer.failed(network, error, state?.differentBlock)
    throw error
  }
}
