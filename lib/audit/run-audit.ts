import type { NodeGroup } from '../chain/nodes/node-group.ts'
import { type AuditedBlocks, auditBlocks, auditSample } from './audit-blocks.ts'
import { type AuditProgress, advance, blocksOf } from './audit-progress.ts'
import { checkCount, type Difference } from './difference.ts'
import { findInLists, type ListSearch } from './find-in-lists.ts'
import { lookUpItems } from './look-up-items.ts'
import { lowerClaim } from './lower-claim.ts'
import { doubtsOfNodes } from './nodes-agree.ts'

export interface UnprovenBlocks {
  first: number
  last: number
  reason: string
}

export interface AuditRun extends ListSearch {
  nodes: NodeGroup
  /** Called after each group of blocks and at the end, with the progress to store and the newly found differences. */
  onProgress: (progress: AuditProgress, found: readonly Difference[]) => void
  onUnproven?: ((blocks: readonly UnprovenBlocks[]) => void) | undefined
}

/**
 * Runs an audit. To continue an audit, call `resumeAudit` with the last progress that `onProgress` received, and pass
 * the result as `begun`. A resumed audit has the same findings as an uninterrupted one. Throws an error if there are
 * too many differences, and any error from reading the chain or the events.
 */
export async function runAudit(begun: AuditProgress, run: AuditRun): Promise<AuditProgress> {
  const { plan } = begun
  let progress = begun
  /** Records nothing while the nodes do not agree, because a node of another chain would cause a false alarm. */
  const record = async (differences: readonly Difference[], doubts: readonly string[]) => {
    if (doubts.length > 0) progress = { ...progress, hasUnrecorded: true }
    else if (run.table) {
      const since = await lowerClaim(differences, { ...run, ...run.table, since: progress.since })
      progress = { ...progress, since }
    }
  }
  if (progress.done < blocksOf(plan)) {
    for await (const group of blocksLeft(progress, run)) {
      run.signal.throwIfAborted()
      const found = await withItems(group, progress, run)
      // A sample has gaps, so parent hashes cannot link its blocks. The nodes must therefore agree on each block.
      const lastOfRange = found.differences.length > 0 ? group.blocks.slice(-1) : []
      const doubts = await doubtsIn(plan.sample ? group.blocks : lastOfRange, run)
      if (plan.sample) progress = { ...progress, doubts: [...progress.doubts, ...doubts] }
      await record(found.differences, doubts)
      progress = advance(progress, found)
      run.onUnproven?.(unprovenIn(found))
      run.onProgress(progress, found.differences)
      checkCount(progress.differences, run)
    }
  }
  if (progress.isChecked) return progress
  const found = await findInLists(progress, run)
  const isRange = plan.sample === undefined
  const doubts = isRange && progress.last ? await doubtsOfNodes(progress.last, run) : progress.doubts
  await record([...(progress.hasUnrecorded ? progress.differences : []), ...found], doubts)
  // If the nodes do not agree on the last block of a range, `isChecked` stays false, so the next run asks them again.
  const isChecked = !isRange || doubts.length === 0
  progress = { ...progress, isChecked, doubts, differences: [...progress.differences, ...found] }
  run.onProgress(progress, found)
  return progress
}

async function doubtsIn(blocks: AuditedBlocks['blocks'], run: AuditRun): Promise<string[]> {
  return (await Promise.all(blocks.map(({ header }) => doubtsOfNodes(header, run)))).flat()
}

function unprovenIn({ blocks }: AuditedBlocks): UnprovenBlocks[] {
  const runs: UnprovenBlocks[] = []
  for (const { header, proof } of blocks) {
    if (!('reason' in proof)) continue
    const run = runs.at(-1)
    if (run?.reason === proof.reason && run.last === header.number - 1) run.last = header.number
    else runs.push({ first: header.number, last: header.number, reason: proof.reason })
  }
  return runs
}

function blocksLeft({ plan, done, last }: AuditProgress, run: AuditRun): AsyncGenerator<AuditedBlocks> {
  if (plan.sample) return auditSample(plan.sample.slice(done), run)
  return auditBlocks({ first: plan.fromBlock + done, last: plan.toBlock }, { ...run, parent: last })
}

async function withItems(
  group: AuditedBlocks,
  { plan }: AuditProgress,
  { table, signal }: AuditRun,
): Promise<AuditedBlocks> {
  if (!table || plan.lists === 'scan') return group
  const found = await lookUpItems(group.equal, { ...table, signal })
  return { ...group, differences: [...group.differences, ...found] }
}
