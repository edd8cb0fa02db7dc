import { connectNode } from '../../../lib/chain/nodes/chain-node.ts'
import { groupNodes } from '../../../lib/chain/nodes/node-group.ts'
import type { Network } from '../../../lib/events/networks.ts'
import { indexNetwork } from '../../../lib/ingest/indexer/index-network.ts'
import { commandClient } from '../../../lib/kit/command-client.ts'
import { INDEXING_TIMEOUT_MS } from '../../../lib/store/create-client.ts'
import { TABLE_NAME } from '../database/database.ts'
import type { Part } from '../processes/running-parts.ts'
import { FIRST_BLOCK, LIVE_NETWORK, type LiveChain } from './start-live-chain.ts'

const POLL_MS = 500

interface IndexLiveOptions {
  endpoint: string
  /** Undefined means all networks. */
  networks: readonly Network[] | undefined
}

/** Indexes and follows the events of all contracts on the chain. Resolves when the chain's first blocks are indexed. */
export async function indexLiveChain(
  { rpcUrl, head }: LiveChain,
  { endpoint, networks }: IndexLiveOptions,
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
