import type { NodeGroup } from '../chain/nodes/node-group.ts'
import { decodePlace } from '../events/place.ts'
import type { EventTable } from '../store/event-table.ts'
import { type IndexState, isSameScope } from '../store/format/checkpoint.ts'
import { type AuditedBlock, type AuditProgress, exitCodeOf } from './audit-progress.ts'
import { changedSince } from './changed-since.ts'
import { moveAuditedBlock } from './move-audited-block.ts'

/**
 * Stores an audit's last final block as the network's last audited block. The audit must have proven all its blocks, in
 * the indexer's whole scope, and all lower blocks must be audited. No other writer may have changed the audited blocks
 * since the audit began, no other audit may have recorded a difference, and the nodes must have the checkpoint's block.
 * Resolves with the stored block, with `other-difference` or `other-chain` if one of the last two conditions prevented
 * this, or with undefined if nothing was stored for another reason. Throws `NodesUnavailableError` if no node has any
 * block with the checkpoint's number.
 */
export async function recordAudit(
  progress: AuditProgress,
  {
    table,
    state,
    nodes,
    signal,
  }: { table: EventTable; state: IndexState; nodes: NodeGroup; signal: AbortSignal },
): Promise<AuditedBlock | 'other-difference' | 'other-chain' | undefined> {
  const { plan, since, last, lastFinal } = progress
  const { scope } = state
  const isWhole =
    exitCodeOf(progress) === 0 &&
    plan.sample === undefined &&
    isSameScope({ ...plan, fromBlock: scope.fromBlock }, scope)
  const block = plan.toBlock <= plan.finalBlock ? last : lastFinal
  if (!isWhole || !block || !since) return undefined
  const { number: blockNumber, hash: blockHash, timestamp } = block
  const result = await moveAuditedBlock(
    { blockNumber, blockHash, timestamp },
    { ...table, network: plan.network, scope, firstBlock: plan.fromBlock, since, nodes, signal },
  )
  if (result === 'refused') return undefined
  return result === 'moved' ? block : result
}

/** Returns a sentence if another writer has changed audited blocks, for example by loading older events. */
export async function doubtOfChanges(
  { plan: { network, source }, since, last }: AuditProgress,
  { table, signal }: { table: EventTable; signal: AbortSignal },
): Promise<string | undefined> {
  if (!since || !last) return undefined
  const upTo = { blockNumber: last.number, timestamp: last.timestamp }
  const place = await changedSince(since, { ...table, network, signal, upTo })
  if (place === undefined) return undefined
  const seconds = decodePlace(place)?.seconds
  const events =
    seconds === undefined
      ? `events of ${source} may have`
      : `events of ${source} after ${new Date(seconds * 1000).toISOString()} have`
  return `${network}: since this audit began, ${events} been changed or indexed again, so the audit's findings may no longer be valid. Start a new audit (with another --state file)`
}
