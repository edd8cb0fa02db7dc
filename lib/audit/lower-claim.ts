import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { ProofReader } from '../chain/nodes/proof-reader.ts'
import type { NetworkTable } from '../store/event-table.ts'
import {
  AUDITED_ATTRIBUTES,
  type AuditedBlock,
  auditedAttributes,
  type IndexState,
  indexStateKey,
  isOneOf,
  lastFinalOf,
} from '../store/format/checkpoint.ts'
import { readIndexState } from '../store/leases/acquire-lease.ts'
import { isMet } from '../store/try-again.ts'
import { type ItemUpdate, updateCommand } from '../store/update-command.ts'
import type { AuditedSince } from './changed-since.ts'
import { type Difference, lowestBlockOf } from './difference.ts'

interface Lowering extends NetworkTable {
  reader: ProofReader
  signal: AbortSignal
}

/**
 * Records the lowest block with a difference, and moves the audited block below it. Ignores differences outside the
 * indexed contracts and kinds of events, because the audited block does not cover them. Also ignores differences in
 * blocks that are not indexed or not final, because the indexer may be about to store or replace their events. Resolves
 * with `since`, which then includes any difference that this call has recorded. Throws any error from `reader`.
 */
export async function lowerClaim<Since extends AuditedSince | undefined>(
  differences: readonly Difference[],
  { since, ...table }: Lowering & { since: Since },
): Promise<Since> {
  if (differences.length === 0) return since
  const state = await readIndexState(table)
  if (!state) return since
  const lowest = lowestBlockOf(differences.filter(each => isIndexed(each, state)))
  if (lowest === Number.POSITIVE_INFINITY) return since
  await recordDifference(lowest, { ...table, since })
  await lowerBelow(lowest, table)
  return since && withDifference(since, lowest)
}

const withDifference = <Since extends AuditedSince>(since: Since, differentBlock: number): Since => ({
  ...since,
  differentBlock: Math.min(differentBlock, since.differentBlock ?? differentBlock),
  differences: (since.differences ?? 0) + 1,
})

const isIndexed = (
  { address, fromBlock, isErc721 = false }: Difference,
  { checkpoint, scope: { contracts, fromBlock: first, erc721 = false } }: IndexState,
) =>
  fromBlock >= first &&
  fromBlock <= lastFinalOf(checkpoint) &&
  (address === undefined || isOneOf(contracts, address)) &&
  (erc721 || !isErc721)

/**
 * Moves the audited block below a recorded difference, because the audit that recorded the difference may have ended
 * before this move. Resolves with false, and moves nothing, if the audited block is not on the chain that `reader`
 * reads, because the block below the difference would then belong to another chain. In this case, the table's readers
 * treat no block as audited. Throws any error from `reader`.
 */
export async function lowerBelow(differentBlock: number, table: Lowering): Promise<boolean> {
  // The difference is already recorded, so only an audit that knows this difference can now move the audited block up
  // again.
  const { auditedBlock, scope } = (await readIndexState(table)) ?? {}
  if (!scope || !auditedBlock || auditedBlock.blockNumber < differentBlock) return true
  const { reader, signal } = table
  const onChain = await reader.readHeader(auditedBlock.blockNumber, signal)
  if (onChain.hash !== auditedBlock.blockHash) return false
  const below =
    differentBlock > scope.fromBlock ? await reader.readHeader(differentBlock - 1, signal) : undefined
  const block = below && { blockNumber: below.number, blockHash: below.hash, timestamp: below.timestamp }
  await lowerAuditedBlock(block, table)
  return true
}

/**
 * Records a difference: increments the count, and keeps the lowest block with a difference. From then on, only an audit
 * that finds this difference gone can move the audited block past `differentBlock`. Does nothing if no indexer wrote
 * the events. If `since` has an id, an audit that was killed before it stored its progress does not count the
 * difference again when it is resumed, unless it had already counted further differences.
 */
export async function recordDifference(
  differentBlock: number,
  { since, ...item }: NetworkTable & { since?: AuditedSince | undefined },
): Promise<void> {
  const { id, differences = 0 } = since ?? {}
  // The difference is counted even if a lower block is already recorded. Otherwise, an audit that found this block
  // equal before its events changed could later find the lower block equal, too, and move the audited block past both.
  await updateIf(
    {
      assign: ['#differences = if_not_exists(#differences, :zero) + :one'],
      ...(id && {
        set: { newestDifference: `${id}#${differences}@${differentBlock}` },
        condition: 'NOT (#newestDifference = :newestDifference)',
      }),
      values: { zero: 0, one: 1 },
    },
    item,
  )
  const condition = '(attribute_not_exists(#differentBlock) OR #differentBlock > :differentBlock)'
  await updateIf({ set: { differentBlock }, condition }, item)
}

/** Moves the audited block down to `block`, but never up. If `block` is undefined, deletes the audited block. */
export const lowerAuditedBlock = (block: AuditedBlock | undefined, item: NetworkTable): Promise<void> =>
  block
    ? updateIf({ set: auditedAttributes(block), condition: '#auditedBlock > :auditedBlock' }, item)
    : updateIf({ remove: AUDITED_ATTRIBUTES }, item)

async function updateIf(
  { condition, ...change }: Partial<ItemUpdate>,
  { client, tableName, network, signal }: NetworkTable,
): Promise<void> {
  const command = updateCommand({
    ...change,
    tableName,
    key: indexStateKey(network),
    condition: ['attribute_exists(#scope)', ...(condition ? [condition] : [])].join(' AND '),
  })
  await isMet(() => DynamoDBDocumentClient.from(client).send(command), { tableName, signal })
}
