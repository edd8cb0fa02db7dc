import type { Network } from '../../events/networks.ts'

export class LeaseHeldError extends Error {
  override readonly name = 'LeaseHeldError'
  readonly code = 'lease-held'

  constructor({ network, owner }: { network: Network; owner: string }) {
    super(`Another process (${owner}) is indexing or repairing ${network}: stop it, or wait until it ends`)
  }
}

/** Another writer has acquired the network's lease, so this writer must stop writing. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError'
  readonly code = 'lease-lost'

  constructor({ network, cause }: { network: Network; cause?: unknown }) {
    super(`Another indexer or repair has taken over ${network}: run only one of them at a time`, { cause })
  }
}

export class ScopeChangedError extends Error {
  override readonly name = 'ScopeChangedError'
  readonly code = 'scope-changed'

  constructor({ network, stored, wanted }: { network: Network; stored: string; wanted: string }) {
    super(
      `${network} was indexed ${stored}, but this run would index it ${wanted}. Continuing would leave a gap, so start over with --restart, which keeps the stored events`,
    )
  }
}
