import { createTable } from '../../../infra/local/database/create-table.ts'
import { startEngine } from '../../../infra/local/engine/start-engine.ts'
import { commandClient } from '../../../lib/kit/command-client.ts'
import { fillChain } from './fill-chain.ts'

/** Starts a node whose chain has at least this many events, and an engine with an empty table. */
export async function startChainAndTable(events: number) {
  const chain = await fillChain(events)
  const engine = await startEngine({ engine: 'dynalite' })
  const createClient = () => commandClient({ endpoint: engine.endpoint })
  const table = { client: await createClient(), tableName: 'events' }
  await createTable(table)
  return {
    chain,
    table,
    /** What an indexer needs to write the chain's events into the table, except the nodes. */
    indexing: {
      network: 'polygon',
      contracts: 'any',
      tableName: table.tableName,
      createClient,
      signal: new AbortController().signal,
    } as const,
    async stop() {
      table.client.destroy()
      await Promise.all([engine.stop(), chain.stop()])
    },
  }
}
