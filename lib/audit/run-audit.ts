import { blockSpan } from '../events/place.ts'
import type { NodeGroup } from '../ingest/chain/node-group.ts'
import type { EventTable } from '../store/event-table.ts'
import { type AuditedBlocks, auditBlocks, auditSample, type BlocksToAudit } from './audit-blocks.ts'
import { type AuditedBlock, type AuditProgress, advance, blocksOf } from './audit-progress.ts'
import type { Difference } from './difference.ts'
import { findBlock } from './find-block.ts'
import { lookUpItems } from './look-up-items.ts'
import { doubtsOfNodes } from './nodes-agree.ts'
import { scanLists } from './scan-lists.ts'

/** Consecutive blocks that are unproven for the same reason. */
export interface UnprovenBlocks {
  first: number
  last: number
  reason: string
}

export interface AuditRun extends BlocksToAudit {
  nodes: NodeGroup
  /** The audited table. Undefined if a service is audited. */
  table?: EventTable | undefined
  /**
   * How the lists of a table other than `all` are compared: by a scan of the whole table at the end, or by a lookup of
   * each event's items.
   */
  lists: 'scan' | 'look-up'
  /** Called after each group of blocks and at the end, with the progress to store. */
  onProgress: (progress: AuditProgress, found: readonly Difference[]) => void
  /** Called after each group of blocks, with the group's unproven blocks. */
  onUnproven?: ((blocks: readonly UnprovenBlocks[]) => void) | undefined
  onScanned?: ((items: number) => void) | undefined
}

/**
 * Runs or resumes an audit to its end. A run that resumes from a reported progress finds the same as an uninterrupted
 * run. Throws the errors of its readers.
 */
export async function runAudit(begun: AuditProgress, run: AuditRun): Promise<AuditProgress> {
  const { plan } = begun
  let progress = begun
  const note = (audited: AuditedBlocks) => {
    progress = advance(progress, audited)
    run.onUnproven?.(unprovenIn(audited))
    run.onProgress(progress, audited.differences)
  }
  if (progress.done < blocksOf(plan)) {
    for await (const audited of blocksLeft(progress, run)) {
      run.signal.throwIfAborted()
      note(await withItems(audited, progress, run))
    }
  }
  if (progress.isChecked) return progress
  const found = await findInLists(progress, run)
  const doubts = progress.last ? await doubtsOfNodes(progress.last, run) : []
  progress = { ...progress, isChecked: true, doubts, differences: [...progress.differences, ...found] }
  run.onProgress(progress, found)
  return progress
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
  const range = { first: plan.fromBlock + done, last: plan.toBlock }
  return auditBlocks(range, { ...run, parentHash: last?.hash })
}

/** Adds the differences that a lookup of the events' items finds. Adds nothing if the table is scanned instead. */
async function withItems(
  audited: AuditedBlocks,
  { plan }: AuditProgress,
  { table, lists, signal }: AuditRun,
): Promise<AuditedBlocks> {
  if (!table || !isLookedUp(plan.sample, lists)) return audited
  const found = await lookUpItems(audited.equal, { ...table, signal })
  return { ...audited, differences: [...audited.differences, ...found] }
}

const isLookedUp = (sample: unknown, lists: AuditRun['lists']) => sample !== undefined || lists === 'look-up'

/**
 * Scans the table, and returns the differences in lists other than `all`. Returns nothing if items are looked up
 * instead.
 */
export async function findInLists(
  { plan, first, last, differences }: AuditProgress,
  run: AuditRun,
): Promise<Difference[]> {
  const { table, lists, network, contracts, onScanned, signal } = run
  if (!table || !first || !last || isLookedUp(plan.sample, lists)) return []
  const spanOf = ({ number: blockNumber, timestamp: seconds }: AuditedBlock) =>
    blockSpan({ blockNumber, seconds, network, logIndex: 0 })
  const span = { first: spanOf(first).first, last: spanOf(last).last }
  const scan = { ...table, network, span, contracts, known: differences, onProgress: onScanned, signal }
  const found: Difference[] = []
  for (const difference of await scanLists(scan)) {
    const { kind, place } = difference
    const range = { first: first.number, last: last.number }
    const isOfEvent = kind !== 'extra'
    const fromBlock = isOfEvent ? difference.fromBlock : await findBlock(place, { ...run, ...range })
    found.push({ ...difference, fromBlock })
  }
  return found
}
