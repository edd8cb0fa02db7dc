import type { Network } from '../../events/networks.ts'

/** Another indexer holds the lease of this network. */
export class LeaseHeldError extends Error {
  override readonly name = 'LeaseHeldError'
  readonly code = 'lease-held'

  constructor({ network, owner }: { network: Network; owner: string }) {
    super(`${network} is being indexed by ${owner}`)
  }
}

/** Another indexer has taken over the lease, so this indexer must stop writing. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
  readonly code = 'lease-lost'

  constructor({ network, cause }: { network: Network; cause?: unknown }) {
    super(`Another indexer has taken over ${network}`, { cause })
  }
}

/** The network's scope in the table (contracts or first block) differs from the requested scope. */
export class ScopeChangedError extends Error {
  override readonly name = 'ScopeChangedError'
  readonly code = 'scope-changed'

  constructor({ network, stored, wanted }: { network: Network; stored: string; wanted: string }) {
    super(
      `${network} was indexed ${stored}, but now must be indexed ${wanted}. Continuing would leave a gap, so begin again with --restart; stored events are kept`,
    )
  }
}
