import type { Network } from '../../../lib/events/networks.ts'
import type { RunningParts } from '../processes/running-parts.ts'
import { indexLiveChain } from './index-live-chain.ts'
import {
  BLOCK_SECONDS,
  FINAL_DEPTH,
  FIRST_BLOCK,
  LIVE_NETWORK,
  REORGANISED_BLOCKS,
  startLiveChain,
} from './start-live-chain.ts'

interface LiveOptions {
  endpoint: string
  /** Undefined means all networks. */
  networks: readonly Network[] | undefined
  /** 0 means any free port. */
  nodePort: number
  reorganizeEverySeconds: number
}

/** The banner's information about the chain. */
export interface LiveChain {
  rpcUrl: string
  explanation: string[]
}

/** Resolves with the lines for the banner when the chain's first blocks are indexed. */
export async function startLive(
  { endpoint, networks, nodePort, reorganizeEverySeconds }: LiveOptions,
  running: RunningParts,
): Promise<LiveChain> {
  const chain = await startLiveChain({ port: nodePort, reorganizeEverySeconds })
  running.add(chain)
  running.add(await indexLiveChain(chain, { endpoint, networks }))
  const explanation = [
    `The chain is made up: it calls itself ${LIVE_NETWORK}, begins at block ${FIRST_BLOCK}, and its events never happened.`,
    `It produces a block every ${BLOCK_SECONDS} seconds. Each block becomes final after ${FINAL_DEPTH} more, and about every`,
    `${reorganizeEverySeconds} seconds a reorganisation replaces the last ${REORGANISED_BLOCKS} blocks.`,
  ]
  return { rpcUrl: chain.rpcUrl, explanation }
}
