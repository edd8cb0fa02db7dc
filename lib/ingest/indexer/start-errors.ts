import type { Network } from '../../events/networks.ts'

/** Indexing is to begin behind the newest block. */
export class StartBeyondHeadError extends Error {
  override readonly name = 'StartBeyondHeadError'
  readonly code = 'start-beyond-head'

  constructor({ network, start, head }: { network: Network; start: string; head: string }) {
    super(
      `${network} cannot be indexed from ${start} on: the newest block is ${head}. Nothing was remembered`,
    )
  }
}

/** The last block that is to be indexed lies before the first. */
export class EndBeforeStartError extends Error {
  override readonly name = 'EndBeforeStartError'
  readonly code = 'end-before-start'

  constructor({ fromBlock, toBlock }: { fromBlock: number; toBlock: number }) {
    super(`The last block (--to-block ${toBlock}) is before the first (${fromBlock})`)
  }
}

/** Nobody has said where to begin, and it cannot be found out. */
export class StartUnknownError extends Error {
  override readonly name = 'StartUnknownError'
  readonly code = 'start-unknown'

  constructor({ network, reason, cause }: { network: Network; reason: string; cause?: unknown }) {
    super(
      `${network}: ${reason}, so where to begin is unknown. Give the first block with --from-block or --from-time (fromBlock in the function's configuration)`,
      { cause },
    )
  }
}
