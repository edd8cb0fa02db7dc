import { decodersOf } from '../chain/logs/event-decoders.ts'
import type { ExpectedChain } from '../chain/nodes/check-chain.ts'
import type { NodeGroup } from '../chain/nodes/node-group.ts'
import { createProofReader } from '../chain/nodes/proof-reader.ts'
import { createChainReader } from '../chain/nodes/read-chain.ts'
import type { EventsClient } from '../client/create-events-client.ts'
import type { EventTable } from '../store/event-table.ts'
import type { IndexState } from '../store/format/checkpoint.ts'
import { type AuditProgress, beginAudit, resumeAudit } from './audit-progress.ts'
import type { AuditedSince } from './changed-since.ts'
import { planAudit, type WantedAudit } from './plan-audit.ts'
import type { AuditRun } from './run-audit.ts'
import { readOverHttp, readTable } from './served-events.ts'

export type PreparedRun = Omit<AuditRun, 'onProgress' | 'onScanned'>

/** What an audit compares with the chain: a table, with what `readAuditedSince` has read from it, or a service. */
interface AuditSource extends Pick<ExpectedChain, 'chainId'> {
  nodes: NodeGroup
  table?: EventTable | undefined
  /** The client of the service. Required without a table. */
  client?: EventsClient | undefined
  indexState?: IndexState | undefined
  since?: AuditedSince | undefined
  indexedBlock?: number | undefined
  /** The progress of an earlier run, whose plan the audit keeps. */
  stored?: AuditProgress | undefined
  signal: AbortSignal
}

/** Reads the heads of the chain, unless an earlier run has planned the audit. Throws `NothingToAuditError`. */
export async function prepareAudit(wanted: WantedAudit, source: AuditSource) {
  const { network } = wanted
  const { nodes, chainId, table, client, indexState, since, indexedBlock, stored, signal } = source
  const begin = async () => {
    const heads = await createChainReader({ network, chainId, nodes, contracts: 'any' }).readHeads(signal)
    return beginAudit(planAudit(wanted, { heads, state: indexState, indexedBlock }), since)
  }
  const begun = stored ? resumeAudit(stored) : await begin()
  const { contracts, erc721 } = begun.plan
  const run: PreparedRun = {
    ...{ network, nodes, contracts, table, signal },
    decoders: decodersOf(begun.plan),
    reader: createProofReader({ network, chainId, nodes, contracts, erc721 }),
    served: client
      ? readOverHttp({ client, network, contracts, signal })
      : readTable(table as EventTable, network),
  }
  return { begun, run }
}
