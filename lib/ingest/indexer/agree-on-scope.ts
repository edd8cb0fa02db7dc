import { type Contracts, isSameScope, type Scope } from '../../store/format/checkpoint.ts'
import type { Lease } from '../../store/leases/hold-lease.ts'
import { ScopeChangedError } from '../../store/leases/lease-errors.ts'
import type { IndexOptions } from './index-options.ts'

/** Stores the wanted scope at a restart or if no block is indexed. Else throws `ScopeChangedError` if scopes differ. */
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
  const isAgreed = isSameScope(wanted, scope)
  if (restart || (!isAgreed && !lease.checkpoint)) return lease.restart(wanted, abort)
  if (!isAgreed) {
    throw new ScopeChangedError({ network, stored: describe(lease.scope), wanted: describe(wanted) })
  }
}

const textOf = (contracts: Contracts) =>
  contracts === 'any' ? 'any contract' : contracts.toSorted().join(', ')

const describe = ({ contracts, fromBlock, erc721 }: Scope) =>
  `from block ${fromBlock} on for ${textOf(contracts)}${erc721 ? ' with ERC-721 transfers' : ''}`
