import { placeOf } from '../events/place.ts'
import type { EventTable } from '../store/event-table.ts'
import { readLeaseState } from '../store/leases/acquire-lease.ts'
import { LeaseHeldError } from '../store/leases/lease-errors.ts'
import { scanEvents } from '../store/reading/scan-table.ts'
import { auditSample } from './audit-blocks.ts'
import type { AuditProgress } from './audit-progress.ts'
import { blocksWith, type Difference } from './difference.ts'
import { findInLists } from './find-in-lists.ts'
import { lookUpItems } from './look-up-items.ts'
import { type RepairOptions, type RepairSummary, repairTable } from './repair-table.ts'
import type { AuditRun } from './run-audit.ts'

/** If an event has two faults, the second may be found only after the first is repaired. */
const MOST_ROUNDS = 3

export type AuditRepair = AuditRun & RepairOptions & { table: EventTable }

/**
 * Repairs and audits in turn, up to `MOST_ROUNDS` times. Throws any error from `repairTable` or from a read. A
 * difference stays in `left` if, for example, its block can no longer be proven or must not be written. `onProgress`
 * receives the repair's own entries in the log of revisions at once. If this run failed before storing these entries, a
 * later run would mistake them for another writer's changes.
 */
export async function repairUntilEqual(progress: AuditProgress, repair: AuditRepair) {
  let repaired = progress
  let left: Difference[] = progress.differences
  const { finalBlock } = progress.plan
  const sum: RepairSummary = { stored: 0, removed: 0 }
  const onAppended = (revisions: readonly number[]) => {
    const { since } = repaired
    repaired = { ...repaired, since: since && { ...since, own: [...(since.own ?? []), ...revisions] } }
    repair.onProgress(repaired, [])
  }
  for (let round = 0; round < MOST_ROUNDS && left.length > 0; round += 1) {
    const { stored, removed } = await repairTable(left, { ...repair, finalBlock, onAppended })
    sum.stored += stored
    sum.removed += removed
    left = await findLeft(left, { progress, repair })
  }
  return { ...sum, left, progress: { ...repaired, isRepaired: left.length === 0 } }
}

async function findLeft(
  before: readonly Difference[],
  { progress, repair }: { progress: AuditProgress; repair: AuditRepair },
): Promise<Difference[]> {
  const { network, table, signal } = repair
  const left: Difference[] = []
  const expected = new Set<string>()
  const unproven = new Set<number>()
  for await (const group of auditSample(blocksWith(before), repair)) {
    const inLists = await lookUpItems(group.equal, { ...table, signal })
    for (const difference of [...group.differences, ...inLists]) left.push(difference)
    for (const record of group.expected) expected.add(placeOf(record))
    for (const { header, proof } of group.blocks) if ('reason' in proof) unproven.add(header.number)
  }
  for (const difference of before) if (unproven.has(difference.fromBlock)) left.push(difference)
  const known = new Set(left.map(({ place }) => place))
  // The audit above has not read places that belong to no block on the chain, so they are read here.
  for (const difference of before) {
    const { place, list } = difference
    if (list !== undefined || expected.has(place) || known.has(place)) continue
    for await (const _ of scanEvents(table, network, { span: { first: place, last: place } }))
      left.push(difference)
  }
  return [...left, ...(await findInLists({ ...progress, differences: left }, repair))]
}

/**
 * Takes over and releases the lease that a killed repair has left on a network without an indexer. Until the lease is
 * released, readers of the feed see nothing new of this network. A repair of differences also releases the lease, so
 * this function is for audits that need no repair. Waits until the lease expires. Does nothing if its holder is alive.
 */
export async function endDeadRepair(repair: AuditRepair): Promise<void> {
  const state = await readLeaseState({ ...repair, ...repair.table })
  if (!state?.leased || state.scope) return
  await repairTable([], repair).catch(error => {
    if (!(error instanceof LeaseHeldError)) throw error
  })
}
