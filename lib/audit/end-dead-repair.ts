import { readLeaseState } from '../store/leases/acquire-lease.ts'
import { LeaseHeldError } from '../store/leases/lease-errors.ts'
import { repairTable } from './repair-table.ts'
import type { AuditRepair } from './repair-until-equal.ts'

/**
 * Takes and releases the lease that a killed repair has left in a network without an indexer, because readers of the
 * feed see nothing new of the network before. A repair of differences does the same, so this is for an audit that has
 * found none. Waits until the lease expires, or does nothing if its holder is alive.
 */
export async function endDeadRepair(repair: AuditRepair): Promise<void> {
  const state = await readLeaseState({ ...repair, ...repair.table })
  if (!state?.leased || state.scope) return
  await repairTable([], repair).catch(error => {
    if (!(error instanceof LeaseHeldError)) throw error
  })
}
