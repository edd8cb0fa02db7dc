import { connectNode } from '../../../lib/chain/nodes/chain-node.ts'
import { groupNodes } from '../../../lib/chain/nodes/node-group.ts'
import type { Network } from '../../../lib/events/networks.ts'
import { indexNetwork } from '../../../lib/ingest/indexer/index-network.ts'
import type { IndexOptions, IndexProgress } from '../../../lib/ingest/indexer/index-options.ts'
import { localClient } from '../store/local-client.ts'
import { createIdleClock } from './idle-clock.ts'

interface IndexChainOptions extends Partial<Omit<IndexOptions, 'network' | 'tableName'>> {
  endpoint: string
  tableName: string
  network: Network
  rpcUrls: readonly string[]
}

/** Indexes a chain up to its head like one run of the function, but without real waits. */
export function indexChain({ endpoint, rpcUrls, ...options }: IndexChainOptions): Promise<IndexProgress> {
  const clock = createIdleClock()
  const nodes = rpcUrls.map(url => clock.watchNode(connectNode(url, { retryCount: 0 })))
  return indexNetwork({
    contracts: 'any',
    confirmations: 0,
    nodes: groupNodes(nodes, { clock }),
    createClient: async () => clock.watchClient(localClient(endpoint)),
    signal: new AbortController().signal,
    clock,
    ...options,
  })
}
