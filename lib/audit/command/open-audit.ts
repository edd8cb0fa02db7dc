import { connectNode } from '../../chain/nodes/chain-node.ts'
import { checkNodes } from '../../chain/nodes/check-chain.ts'
import { groupNodes } from '../../chain/nodes/node-group.ts'
import { ApiError, createEventsClient } from '../../client/create-events-client.ts'
import type { Network } from '../../events/networks.ts'
import { commandClient } from '../../kit/command-client.ts'
import { openTable, type TableOptions } from '../../kit/open-table.ts'
import { type AuthorizeOptions, authorizeBy } from '../../kit/service-options.ts'
import { INDEXING_TIMEOUT_MS } from '../../store/create-client.ts'
import type { IndexState } from '../../store/format/checkpoint.ts'
import type { AuditPlan, AuditProgress } from '../audit-progress.ts'
import { readAuditedSince } from '../move-audited-block.ts'
import type { WantedAudit } from '../plan-audit.ts'
import { type PreparedRun, prepareAudit } from '../prepare-audit.ts'
import type { AuditRepair } from '../repair-until-equal.ts'
import type { AuditRun } from '../run-audit.ts'

export interface AuditOptions extends AuthorizeOptions, Partial<TableOptions> {
  network: Network
  rpc: string[]
  chainId?: number
  contract?: string[]
  erc721: boolean | undefined
  fromBlock?: number
  toBlock?: number
  service?: string
  sample?: number
  /** Whether to scan the whole table instead of looking up items. A scan also finds items that belong to no event. */
  scan: boolean
  repair: boolean
  changesKeptDays: number
}

export interface AuditSignals {
  /** Stops the audit, which a later run can resume. */
  signal: AbortSignal
  /** Unlike `signal`, also ends a repair that has started. */
  endAtOnce: AbortSignal
}

export interface OpenedAudit {
  wanted: WantedAudit
  begun: AuditProgress
  run: PreparedRun
  /** Undefined if differences are only reported. */
  repair: RepairOfAudit | undefined
  /** The indexer's state in the table. Undefined for a service, or if no indexer has written to the table. */
  indexState: IndexState | undefined
}

/** The repair has its own signal, because it should finish even if the audit's signal is aborted. */
export type RepairOfAudit = Omit<AuditRepair, Exclude<keyof AuditRun, 'signal'>>

/** Reads the state of the nodes and of the table or service, and plans the audit. A resumed audit keeps its plan. */
export async function openAudit(
  options: AuditOptions,
  { stored, signal, endAtOnce }: { stored: AuditProgress | undefined } & AuditSignals,
): Promise<OpenedAudit> {
  const { network, chainId, scan } = options
  const nodes = groupNodes(options.rpc.map(url => connectNode(url)))
  await checkNodes(nodes.members, { network, chainId }, signal)
  const source = await openSource(options, signal)
  const { contract: contracts, erc721, fromBlock, toBlock, sample } = options
  const scope = { contracts, erc721, fromBlock, toBlock, sample }
  const wanted: WantedAudit = { network, source: source.name, ...scope, lists: scan ? 'scan' : 'look-up' }
  const { begun, run } = await prepareAudit(wanted, { ...source, nodes, chainId, stored, signal })
  return {
    wanted,
    begun,
    run,
    repair: options.repair ? repairOf(options, begun.plan, endAtOnce) : undefined,
    indexState: source.indexState,
  }
}

async function openSource(options: AuditOptions, signal: AbortSignal) {
  const { network, table: tableName, endpoint, service = '' } = options
  if (tableName) {
    const table = await openTable({ ...options, table: tableName, signal })
    const { since, state } = await readAuditedSince({ ...table, network, signal })
    return { name: endpoint ? `${tableName} at ${endpoint}` : tableName, table, indexState: state, since }
  }
  const client = createEventsClient(service, { authorize: await authorizeBy(options) })
  const status = await client.status({ signal }).catch(ignoreAbsence)
  const indexedBlock = status?.networks.find(each => each.network === network)?.indexedThrough.blockNumber
  return { name: service, client, indexedBlock }
}

/** Ignores a 404 response, because earlier versions of the service do not report their indexed blocks. */
function ignoreAbsence(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.status !== 404) throw error
}

/** The client's requests time out well before the repair's lease expires, so that no write outlasts the lease. */
function repairOf(
  options: AuditOptions,
  { fromBlock, contracts, erc721 }: AuditPlan,
  signal: AbortSignal,
): RepairOfAudit {
  return {
    createClient: () => commandClient({ ...options, requestTimeoutMs: INDEXING_TIMEOUT_MS }),
    scope: { fromBlock, contracts, ...(erc721 && { erc721 }) },
    changesKeptDays: options.changesKeptDays,
    signal,
  }
}
