import type { Contracts, Scope } from '../../store/checkpoint.ts'
import type { Lease } from '../../store/hold-lease.ts'
import { ScopeChangedError } from '../../store/lease-errors.ts'
import type { IndexOptions } from './index-options.ts'

/**
 * Makes sure that the table's checkpoint is about what is to be indexed now: the same contracts, from the
 * same block on. Throws `ScopeChangedError` when it is not, unless indexing is to begin again.
 */
export async function agreeOnScope(lease: Lease, options: IndexOptions): Promise<void> {
  const { network, fromBlock = lease.scope.fromBlock, restart } = options
  const wanted: Scope = { fromBlock, contracts: options.contracts }
  const isSame =
    wanted.fromBlock === lease.scope.fromBlock && textOf(wanted.contracts) === textOf(lease.scope.contracts)
  if (restart || (!isSame && !lease.checkpoint)) return lease.restart(wanted, options.abort)
  if (!isSame) {
    throw new ScopeChangedError({ network, stored: describe(lease.scope), wanted: describe(wanted) })
  }
}

const textOf = (contracts: Contracts) =>
  contracts === 'any' ? 'any contract' : contracts.toSorted().join(', ')

const describe = ({ contracts, fromBlock }: Scope) => `from block ${fromBlock} on for ${textOf(contracts)}`
