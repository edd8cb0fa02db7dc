import { connectNode } from '../../../lib/chain/nodes/chain-node.ts'
import { groupNodes } from '../../../lib/chain/nodes/node-group.ts'
import type { Network } from '../../../lib/events/networks.ts'
import { indexNetwork } from '../../../lib/ingest/indexer/index-network.ts'
import { commandClient } from '../../../lib/kit/command-client.ts'
import { INDEXING_TIMEOUT_MS } from '../../../lib/store/create-client.ts'
import { TABLE_NAME } from '../database/database.ts'
import type { Part, RunningParts } from '../processes/running-parts.ts'
import {
  BLOCK_SECONDS,
  FINAL_DEPTH,
  FIRST_BLOCK,
  LIVE_NETWORK,
  type LiveChain,
  REORGANISED_BLOCKS,
  startLiveChain,
} from './start-live-chain.ts'

const POLL_MS = 500

interface LiveOptions {
  endpoint: string
  /** Undefined means all networks. */
  networks: readonly Network[] | undefined
  /** 0 means any free port. */
  nodePort: number
  reorganizeEverySeconds: number
}

/** What the banner of `npm start` shows about the chain. */
export interface LiveBanner {
  rpcUrl: string
  explanation: string[]
}

/** Starts the chain and its indexer. Resolves when the chain's first blocks are indexed. */
export async function startLive(
  { endpoint, networks, nodePort, reorganizeEverySeconds }: LiveOptions,
  running: RunningParts,
): Promise<LiveBanner> {
  const chain = await startLiveChain({ port: nodePort, reorganizeEverySeconds })
  running.add(chain)
  running.add(await indexLiveChain(chain, { endpoint, networks }))
  const explanation = [
    `The chain is simulated. Although it is called ${LIVE_NETWORK} and begins at block ${FIRST_BLOCK}, none of its events happened on the real chain.`,
    `It produces a block every ${BLOCK_SECONDS} seconds. Each block becomes final after ${FINAL_DEPTH} more blocks, and about every`,
    `${reorganizeEverySeconds} seconds a reorganisation replaces the last ${REORGANISED_BLOCKS} blocks.`,
  ]
  return { rpcUrl: chain.rpcUrl, explanation }
}

/** Indexes and follows the events of all contracts on the chain. Resolves when the chain's first blocks are indexed. */
async function indexLiveChain(
  { rpcUrl, head }: LiveChain,
  { endpoint, networks }: Pick<LiveOptions, 'endpoint' | 'networks'>,
): Promise<Part> {
  const stopping = new AbortController()
  const atHead = Promise.withResolvers<void>()
  const indexing = indexNetwork({
    network: LIVE_NETWORK,
    networks,
    nodes: groupNodes([connectNode(rpcUrl)]),
    createClient: () => commandClient({ endpoint, requestTimeoutMs: INDEXING_TIMEOUT_MS }),
    tableName: TABLE_NAME,
    contracts: 'any',
    fromBlock: FIRST_BLOCK,
    follow: true,
    pollMs: POLL_MS,
    signal: stopping.signal,
    onProgress: ({ checkpoint }) => {
      if (checkpoint && checkpoint.blockNumber >= head) atHead.resolve()
    },
  })
  const ended = indexing.then(
    () => 'The indexer was stopped',
    error => `The indexer ended: ${(error as Error).message}`,
  )
  const early = await Promise.race([atHead.promise, ended])
  if (early) throw new Error(early)
  return {
    ended,
    async stop() {
      stopping.abort()
      await ended
    },
  }
}
