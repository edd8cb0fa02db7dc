import { isOutage, NodesUnavailableError } from '../chain/nodes/rpc-errors.ts'
import { placeOf } from '../events/place.ts'
import { MONOTONIC_CLOCK, startTimer } from '../store/clock.ts'
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

/**
 * Several rounds may be needed: if an event has two faults, the second may be found only after the first is repaired.
 */
const MOST_ROUNDS = 3

/** While nodes are down, a repair tries again after this pause, until the outage has lasted too long. */
const OUTAGE_PAUSE_MS = 10_000
const LONGEST_OUTAGE_MS = 600_000

export type AuditRepair = AuditRun &
  Omit<RepairOptions, keyof EventTable> & {
    table: EventTable
    /** Unlike `signal`, only ends a wait for nodes that are down. */
    stop?: AbortSignal | undefined
    /** Called when the repair begins to wait for nodes that are down. */
    onOutage?: ((outage: NodesUnavailableError) => void) | undefined
  }

/**
 * Repairs and audits in turn, up to `MOST_ROUNDS` times. Throws any error from `repairTable` or from a read. A
 * difference stays in `left` if, for example, its block can no longer be proven or must not be written.
 */
export async function repairUntilEqual(progress: AuditProgress, repair: AuditRepair) {
  let left: Difference[] = progress.differences
  const { plan, since } = progress
  const options = { ...repair, ...repair.table, finalBlock: plan.finalBlock, auditId: since?.id }
  const patiently = createPatience(repair)
  const sum: RepairSummary = { stored: 0, removed: 0 }
  for (let round = 0; round < MOST_ROUNDS && left.length > 0; round += 1) {
    const { stored, removed } = await patiently(() => repairTable(left, options))
    sum.stored += stored
    sum.removed += removed
    left = await patiently(() => findLeft(left, { progress, repair }))
  }
  return { ...sum, left, progress: { ...progress, isRepaired: left.length === 0 } }
}

/** An outage never interrupts the writes of a repair, because the repair asks the nodes only before its first write. */
function createPatience({ clock = MONOTONIC_CLOCK, signal, stop = signal, onOutage }: AuditRepair) {
  return async <T>(work: () => Promise<T>): Promise<T> => {
    let sinceOutage: (() => number) | undefined
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof NodesUnavailableError && isOutage(error.cause))) throw error
        if (!sinceOutage) onOutage?.(error)
        sinceOutage ??= startTimer(clock)
        if (sinceOutage() > LONGEST_OUTAGE_MS) throw error
        await clock.sleep(OUTAGE_PAUSE_MS, AbortSignal.any([signal, stop]))
      }
    }
  }
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
 * Takes over and releases the lease that a killed writer has left. On a network to which no indexer writes any more,
 * readers of the feed see nothing new until the lease is released. A repair of differences also releases the lease, so
 * this function is for audits that need no repair. Waits until the lease expires. Does nothing if the lease's holder is
 * alive.
 */
export async function endDeadRepair(repair: AuditRepair): Promise<void> {
  const options = { ...repair, ...repair.table }
  if (!(await readLeaseState(options))?.leased) return
  await repairTable([], options).catch(error => {
    if (!(error instanceof LeaseHeldError)) throw error
  })
}
