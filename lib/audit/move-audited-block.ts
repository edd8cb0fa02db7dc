import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { needBlock } from '../chain/nodes/get-block.ts'
import type { NodeGroup } from '../chain/nodes/node-group.ts'
import type { NetworkTable } from '../store/event-table.ts'
import {
  type AuditedBlock,
  auditedAttributes,
  type IndexState,
  indexStateKey,
  isSameScope,
  lastFinalOf,
  type Scope,
} from '../store/format/checkpoint.ts'
import { parseRevision } from '../store/format/revision-item.ts'
import { readIndexState } from '../store/leases/acquire-lease.ts'
import { isMet } from '../store/try-again.ts'
import { updateCommand } from '../store/update-command.ts'
import { readNewestEntry } from '../store/writing/append-revision.ts'
import { type AuditedSince, changedSince } from './changed-since.ts'

export interface AuditedMove extends NetworkTable {
  /** The audited scope, which must equal the indexed scope. */
  scope: Scope
  /** The first block of this audit. There must be no gap between the last audited block and this block. */
  firstBlock: number
  since: AuditedSince
  /** The nodes that the audit has queried. */
  nodes: NodeGroup
  signal: AbortSignal
}

/** Reads what an audit must know about a table before the audit reads the first event. */
export async function readAuditedSince(
  table: NetworkTable,
): Promise<{ since: AuditedSince; state: IndexState | undefined }> {
  // The log is read first, so that a change between the two reads is treated as a later change.
  const entry = await readNewestEntry({ ...table, client: DynamoDBDocumentClient.from(table.client) })
  const { number: revision, at } = entry ? parseRevision(entry.place, entry.text) : { number: 0 }
  const state = await readIndexState(table)
  const { differentBlock, differences } = state ?? {}
  return { since: { revision, at, differentBlock, differences }, state }
}

/**
 * Records that all blocks from the scope's first block to `block` are proven equal to the chain. Needs no lease.
 * Resolves with `refused` in these cases:
 * - The scope has changed, or unaudited blocks would remain below `firstBlock`.
 * - `block` is above the checkpoint or not final.
 * - Since the audit began, other writers have changed blocks up to `block`.
 * - Blocks up to `block` contain a recorded difference that the audit has not compared again.
 * Resolves with `other-difference` if another audit has recorded a difference since this audit began. Resolves with
 * `other-chain` if the checkpoint is not on the nodes' chain, because blocks without events look the same
 * on any chain, but an audited block of another chain would stop all later audits. After a reorganisation, the indexer
 * must therefore run first. Throws `NodesUnavailableError` if no node has a block with the checkpoint's number after
 * several rounds, because the nodes may lag, but may also belong to another chain.
 * If the audited block is already higher, lowers it only if this audit has proven that a recorded difference is gone.
 */
export async function moveAuditedBlock(
  block: AuditedBlock,
  move: AuditedMove,
): Promise<'moved' | 'refused' | 'other-difference' | 'other-chain'> {
  for (;;) {
    const state = await readIndexState(move)
    if (!state) return 'refused'
    if ((state.differences ?? 0) !== (move.since.differences ?? 0)) return 'other-difference'
    if (!mayMove(state, block, move)) return 'refused'
    if (await isOfOtherChain(state, move)) return 'other-chain'
    // The log is read after the state, so it contains every change below this state's checkpoint: writers that change
    // blocks below a checkpoint append an entry before they move the checkpoint up again.
    if ((await changedSince(move.since, { ...move, upTo: block })) !== undefined) return 'refused'
    const { auditedBlock, differentBlock = Number.POSITIVE_INFINITY } = state
    if (auditedBlock && auditedBlock.blockNumber >= block.blockNumber && differentBlock > block.blockNumber)
      return 'moved'
    if (await isStored(block, state, move)) return 'moved'
  }
}

function mayMove(
  { scope, checkpoint, auditedBlock, differentBlock = Number.POSITIVE_INFINITY }: IndexState,
  { blockNumber }: AuditedBlock,
  { scope: auditedScope, firstBlock, since }: AuditedMove,
): boolean {
  if (differentBlock <= blockNumber) {
    const isCompared = firstBlock <= Math.max(differentBlock, scope.fromBlock)
    if (differentBlock !== since.differentBlock || !isCompared) return false
  }
  const isWithoutGap = firstBlock <= (auditedBlock?.blockNumber ?? scope.fromBlock - 1) + 1
  return isWithoutGap && blockNumber <= lastFinalOf(checkpoint) && isSameScope(scope, auditedScope)
}

async function isOfOtherChain({ checkpoint }: IndexState, { nodes, signal }: AuditedMove): Promise<boolean> {
  if (!checkpoint) return false
  const { blockNumber, blockHash } = checkpoint
  const header = await nodes.ask((node, limited) => needBlock(node, blockNumber, limited), signal)
  return header.hash !== blockHash
}

/**
 * Stores the block if the item has not changed since it was read. Each change by the indexer shows in `renewals`,
 * because the indexer increments this number with every change.
 */
function isStored(
  block: AuditedBlock,
  { fence, renewals, auditedBlock, differentBlock, differences }: IndexState,
  move: AuditedMove,
): Promise<boolean> {
  const { client, tableName, network } = move
  const isPassed = differentBlock !== undefined && differentBlock <= block.blockNumber
  const before = { fence, renewals, auditedBlock: auditedBlock?.blockNumber, differentBlock, differences }
  const known = Object.entries(before).filter(([, value]) => value !== undefined)
  const command = updateCommand({
    tableName,
    key: indexStateKey(network),
    set: auditedAttributes(block),
    remove: isPassed ? ['differentBlock'] : [],
    condition: Object.entries(before)
      .map(([name, value]) =>
        value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :${name}Before`,
      )
      .join(' AND '),
    values: Object.fromEntries(known.map(([name, value]) => [`${name}Before`, value])),
  })
  return isMet(() => DynamoDBDocumentClient.from(client).send(command), move)
}
