import { commandClient } from '../../../lib/kit/command-client.ts'
import { startTable } from '../cost/open-table.ts'
import { fillChain } from './fill-chain.ts'

/** Starts a node whose chain has at least this many events, and an engine with an empty table. */
export async function startChainAndTable(events: number) {
  const chain = await fillChain(events)
  const { endpoint, close, ...table } = await startTable()
  return {
    chain,
    table,
    /** What an indexer needs to write the chain's events into the table, except the nodes. */
    indexing: {
      network: 'polygon',
      contracts: 'any',
      tableName: table.tableName,
      createClient: () => commandClient({ endpoint }),
      signal: new AbortController().signal,
    } as const,
    stop: () => Promise.all([close(), chain.stop()]),
  }
}
