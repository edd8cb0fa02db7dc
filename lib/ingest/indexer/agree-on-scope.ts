import type { Contracts, Scope } from '../../store/checkpoint.ts'
import type { Lease } from '../../store/hold-lease.ts'
import { ScopeChangedError } from '../../store/lease-errors.ts'
import { isSame } from './find-start.ts'
import type { IndexOptions } from './index-options.ts'

/**
 * Makes sure that the table's checkpoint is about what is to be indexed now: the same contracts, from the
 * same block on. Throws `ScopeChangedError` when it is not, unless indexing is to begin again.
 */
export async function agreeOnScope(
  lease: Lease,
  {
    network,
    restart,
    abort,
    wanted,
  }: Pick<IndexOptions, 'network' | 'restart' | 'abort'> & { wanted: Scope },
): Promise<void> {
  const { scope } = lease
  const isAgreed =
    wanted.fromBlock === scope.fromBlock &&
    isSame(wanted.contracts, scope.contracts) &&
    (wanted.erc721 ?? false) === (scope.erc721 ?? false)
  if (restart || (!isAgreed && !lease.checkpoint)) return lease.restart(wanted, abort)
  if (!isAgreed) {
    throw new ScopeChangedError({ network, stored: describe(lease.scope), wanted: describe(wanted) })
  }
}

const textOf = (contracts: Contracts) =>
  contracts === 'any' ? 'any contract' : contracts.toSorted().join(', ')

const describe = ({ contracts, fromBlock, erc721 }: Scope) =>
  `from block ${fromBlock} on for ${textOf(contracts)}${erc721 ? ' with transfers of ERC-721' : ''}`
