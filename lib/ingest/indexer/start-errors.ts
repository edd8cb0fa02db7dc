import type { Network } from '../../events/networks.ts'

export class StartBeyondHeadError extends Error {
  override readonly name = 'StartBeyondHeadError'
  readonly code = 'start-beyond-head'

  constructor({ network, start, head }: { network: Network; start: string; head: string }) {
    super(
      `${network} cannot be indexed from ${start} on, because the newest block is ${head}. Nothing was changed: choose an earlier start`,
    )
  }
}

export class StartUnknownError extends Error {
  override readonly name = 'StartUnknownError'
  readonly code = 'start-unknown'

  constructor({ network, reason, cause }: { network: Network; reason: string; cause?: unknown }) {
    super(
      `${network}: ${reason}, so the first block is unknown. Set it with --from-block or --from-time (fromBlock in the function's configuration)`,
      { cause },
    )
  }
}

/** The block to go back to is not indexed, or the chain has a different block with this number. */
export class NoWayBackError extends Error {
  override readonly name = 'NoWayBackError'
  readonly code = 'no-way-back'

  constructor({ network, blockNumber, fromBlock, last }: NoWayBack) {
    const blocks =
      last < fromBlock
        ? 'the network has no indexed block to go back to'
        : `choose a block from ${fromBlock} to ${last}`
    super(`${network} cannot go back to block ${blockNumber} (--back-to): ${blocks}`)
  }
}

interface NoWayBack {
  network: Network
  blockNumber: number
  fromBlock: number
  /** The last indexed block, or -1 if no block is indexed. */
  last: number
}

export class NetworkLeftOutError extends Error {
  override readonly name = 'NetworkLeftOutError'
  readonly code = 'network-left-out'

  constructor({ network, networks }: { network: Network; networks: readonly Network[] }) {
    super(`The table stores only ${networks.join(', ')}: use another table for ${network}`)
  }
}
