import { groupNodes } from '../../../lib/chain/nodes/node-group.ts'
import { indexNetwork } from '../../../lib/ingest/indexer/index-network.ts'
import { type Job, type SimNetwork, startJob, type World } from '../world.ts'

interface IndexRun {
  /** Whether the run goes on at the head until it is stopped. */
  follow: boolean
}

/** Starts an indexer of a network, as `npm run index` does. */
export function startIndexer(world: World, network: SimNetwork, { follow }: IndexRun): Job {
  const { table, life } = world
  const { contracts, fromBlock, confirmations, proof, restarts: restart } = network
  return startJob(world, {
    kind: 'indexer',
    name: `indexer ${network.network}`,
    work: async job => {
      await indexNetwork({
        network: network.network,
        networks: table.networks,
        tableName: table.tableName,
        createClient: async () => table.client('indexing'),
        nodes: groupNodes(network.sims.map(node => node.connect())),
        ...{ contracts, fromBlock, confirmations, proof, follow, restart },
        changesKeptDays: life.keptDays,
        signal: job.stop.signal,
        onReorganised: ({ removed }) => {
          world.tally.set('reorganisations repaired', (world.tally.get('reorganisations repaired') ?? 0) + 1)
          world.tally.set('events removed', (world.tally.get('events removed') ?? 0) + removed)
        },
        onStart: () => {
          // The scope is agreed from here on, so the next run need not restart.
          if (restart) network.restarts = false
        },
      })
    },
  })
}
