import { type AuditProgress, exitCodeOf, summaryOf } from '../../../lib/audit/audit-progress.ts'
import type { Difference } from '../../../lib/audit/difference.ts'
import { readAuditedSince } from '../../../lib/audit/move-audited-block.ts'
import type { WantedAudit } from '../../../lib/audit/plan-audit.ts'
import { prepareAudit } from '../../../lib/audit/prepare-audit.ts'
import { recordAudit } from '../../../lib/audit/record-audit.ts'
import type { RepairOptions } from '../../../lib/audit/repair-table.ts'
import { endDeadRepair, repairUntilEqual } from '../../../lib/audit/repair-until-equal.ts'
import { runAudit } from '../../../lib/audit/run-audit.ts'
import { connectNode } from '../../../lib/chain/nodes/chain-node.ts'
import { groupNodes } from '../../../lib/chain/nodes/node-group.ts'
import { createEventsClient } from '../../../lib/client/create-events-client.ts'
import type { Network } from '../../../lib/events/networks.ts'
import { createIdleClock } from '../chain/idle-clock.ts'
import { localClient } from '../store/local-client.ts'

interface AuditChainOptions extends Partial<Omit<WantedAudit, 'source'>> {
  endpoint: string
  tableName: string
  network: Network
  rpcUrls: readonly string[]
  /** Audits the service at this URL instead of the table. */
  serviceUrl?: string
  repair?: boolean
  begun?: AuditProgress
  onProgress?: (progress: AuditProgress) => void
  signal?: AbortSignal
  mostDifferences?: number
  onLowered?: RepairOptions['onLowered']
}

/** Runs an audit as the command does, but without real waits. */
export async function auditChain(options: AuditChainOptions) {
  const { endpoint, tableName, network, rpcUrls, serviceUrl, begun } = options
  const { signal = new AbortController().signal } = options
  const clock = createIdleClock()
  const client = clock.watchClient(localClient(endpoint))
  try {
    const nodes = groupNodes(
      rpcUrls.map(url => clock.watchNode(connectNode(url, { retryCount: 0 }))),
      { clock },
    )
    const table = { client, tableName }
    const audited = serviceUrl ? undefined : await readAuditedSince({ ...table, network })
    const { begun: first, run: prepared } = await prepareAudit(
      { ...options, source: 'test' },
      {
        ...{ nodes, stored: begun, signal, since: audited?.since, indexState: audited?.state },
        ...(serviceUrl ? { client: createEventsClient(serviceUrl) } : { table }),
      },
    )
    const { contracts, fromBlock } = first.plan
    const found: Difference[] = []
    const run = {
      ...{ ...prepared, mostDifferences: options.mostDifferences },
      onProgress: (progress: AuditProgress, differences: readonly Difference[]) => {
        found.push(...differences)
        options.onProgress?.(progress)
      },
    }
    let progress = await runAudit(first, run)
    let left: Difference[] = progress.differences
    if (options.repair) {
      const createClient = async () => clock.watchClient(localClient(endpoint))
      const scope = { contracts, fromBlock }
      const { onLowered } = options
      const repair = { ...run, table, createClient, scope, clock, onLowered }
      if (progress.differences.length === 0) await endDeadRepair(repair)
      else ({ progress, left } = await repairUntilEqual(progress, repair))
    }
    const state = audited?.state
    const movedTo = state && (await recordAudit(progress, { table, state, nodes, signal }))
    return { progress, summary: summaryOf(progress), exitCode: exitCodeOf(progress), found, left, movedTo }
  } finally {
    client.destroy()
  }
}
