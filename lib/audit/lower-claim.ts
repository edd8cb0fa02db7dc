import type { ProofReader } from '../chain/nodes/proof-reader.ts'
import type { EventTable } from '../store/event-table.ts'
import type { AuditedBlock, Scope } from '../store/format/checkpoint.ts'
import { readIndexState } from '../store/leases/acquire-lease.ts'
import type { BlocksToAudit } from './audit-blocks.ts'
import type { Difference } from './difference.ts'
import { lowerAuditedBlock, recordDifference } from './lower-audited-block.ts'

interface Lowering extends Pick<BlocksToAudit, 'network' | 'reader' | 'signal'> {
  table: EventTable
}

/**
 * Records the lowest difference in the table, and moves the audited block below it. Ignores differences outside the
 * indexed contracts and blocks, because the audited block says nothing about them. Resolves with the lowest different
 * block, or with undefined if no difference counts. Throws the errors of `reader`.
 */
export async function lowerClaim(
  differences: readonly Difference[],
  { network, table, reader, signal }: Lowering,
): Promise<number | undefined> {
  if (differences.length === 0) return undefined
  const item = { ...table, network, signal }
  const state = await readIndexState(item)
  if (!state) return undefined
  const lowest = Math.min(
    ...differences.filter(each => isIndexed(each, state.scope)).map(({ fromBlock }) => fromBlock),
  )
  if (lowest === Number.POSITIVE_INFINITY) return undefined
  await recordDifference(lowest, item)
  await lowerBelow(lowest, { network, table, reader, signal })
  return lowest
}

/**
 * Moves the audited block below a recorded difference, also if an earlier audit ended right after it had recorded the
 * difference. Does nothing if the audited block is below already. Throws the errors of `reader`.
 */
export async function lowerBelow(
  differentBlock: number,
  { network, table, reader, signal }: Lowering,
): Promise<void> {
  const item = { ...table, network, signal }
  // Read after the difference is recorded: an audit that has not seen the record by now moves no block any more.
  const { auditedBlock, scope } = (await readIndexState(item)) ?? {}
  if (!scope || !auditedBlock || auditedBlock.blockNumber < differentBlock) return
  const isFirst = differentBlock <= scope.fromBlock
  const below = isFirst ? undefined : await readBlock(differentBlock - 1, { reader, signal })
  await lowerAuditedBlock(below, item)
}

const isIndexed = ({ address, fromBlock }: Difference, { contracts, fromBlock: first }: Scope) =>
  fromBlock >= first && (address === undefined || contracts === 'any' || contracts.includes(address))

async function readBlock(
  number: number,
  { reader, signal }: { reader: ProofReader; signal: AbortSignal },
): Promise<AuditedBlock | undefined> {
  for await (const [header] of reader.readHeaders({ first: number, last: number }, signal)) {
    return header && { blockNumber: number, blockHash: header.hash, timestamp: header.timestamp }
  }
  return undefined
}
