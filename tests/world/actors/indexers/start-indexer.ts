import { groupNodes } from '../../../../lib/chain/nodes/node-group.ts'
import { createIndexHandler } from '../../../../lib/ingest/indexer/create-index-handler.ts'
import { indexNetwork } from '../../../../lib/ingest/indexer/index-network.ts'
import type { Random } from '../../../support/records/random.ts'
import { jobsOf, startJob, WRITER_ENDS } from '../../start-job.ts'
import { count, type Job, type SimNetwork, type World } from '../../world.ts'

const INDEXER_ENDS = [
  ...WRITER_ENDS,
  'UnprovenBlockError',
  'ScopeChangedError',
  'StartBeyondHeadError',
  'NoWayBackError',
]

const programOf = ({ network }: SimNetwork) => ({
  kind: 'indexer',
  name: `indexer ${network}`,
  mayEndWith: INDEXER_ENDS,
  needsLease: true,
})

interface IndexRun {
  follow: boolean
  /** The block to which the run first moves the checkpoint back. */
  backTo?: number
}

export function startIndexer(world: World, network: SimNetwork, { follow, backTo }: IndexRun): Job {
  const { table, life } = world
  const { contracts, fromBlock, confirmations, proof, leaseMs, restarts: restart } = network
  return startJob(world, {
    ...programOf(network),
    work: async job => {
      await indexNetwork({
        network: network.network,
        networks: table.networks,
        tableName: table.tableName,
        createClient: async () => table.client('indexing'),
        nodes: groupNodes(network.sims.map(node => node.connect())),
        ...{ contracts, fromBlock, confirmations, proof, follow, restart, leaseMs, backTo },
        changesKeptDays: life.keptDays,
        signal: job.stop.signal,
        onReorganised: ({ removed }) => {
          count(world, 'reorganisations repaired')
          count(world, 'events removed', removed)
        },
        onStart: () => {
          // The table has this scope from now on, so the next run need not restart unless the scope has changed again.
          if (contracts === network.contracts && fromBlock === network.fromBlock) network.restarts = false
        },
      })
    },
  })
}

/** The time limit of an invocation, which is shorter than the command's longest lease. */
const INVOCATION_MS = 60_000
/** The last part of an invocation, in which it only ends its work. */
const KEPT_BACK_MS = 15_000

/** If another indexer could be at work, calls `onBusy`, and ends without an error. */
export function startIndexFunction(
  world: World,
  network: SimNetwork,
  { follow, onBusy }: IndexRun & { onBusy?: () => void },
): Job {
  const { table, life, gate } = world
  const { contracts, fromBlock, confirmations, proof, sims } = network
  const nodes = new Map(sims.map((node, index) => [`https://node-${index}.world/`, node]))
  return startJob(world, {
    ...programOf(network),
    work: async () => {
      const handler = createIndexHandler({
        readConfig: async () => ({
          [network.network]: {
            ...{ contracts, fromBlock, confirmations, proof, follow },
            rpc: [...nodes.keys()],
            erc721: false,
          },
        }),
        tableName: table.tableName,
        networks: table.networks,
        changesKeptDays: life.keptDays,
        createClient: async () => table.client('indexing'),
        connect: url => nodes.get(url)?.connect() as never,
        observer: {
          indexed: () => count(world, 'invocations that indexed'),
          busy() {
            count(world, 'invocations that found another indexer')
            onBusy?.()
          },
          failed: () => undefined,
          unproven: () => undefined,
        },
      })
      const endsAt = gate.now() + INVOCATION_MS
      const context = { getRemainingTimeInMillis: () => endsAt - gate.now() }
      await handler({}, context as Parameters<typeof handler>[1]).catch(error => {
        // An invocation can run out of time while its machine sleeps. In that case, any error is accepted.
        if (gate.now() >= endsAt - KEPT_BACK_MS) count(world, 'invocations whose time was up')
        else throw error instanceof AggregateError ? error.errors[0] : error
      })
    },
  })
}

export function startSomeIndexer(world: World, network: SimNetwork, random: Random): void {
  const isByFunction = network.isByFunction && !network.restarts && random.chance(0.7)
  if (isByFunction) startIndexFunction(world, network, { follow: random.chance(0.5) })
  else startIndexer(world, network, { follow: random.chance(0.7) })
}

export async function indexNow(world: World, network: SimNetwork): Promise<void> {
  const writers = jobsOf(world, `indexer ${network.network}`)
  for (const { stop } of writers) stop.abort(new Error('Stopped'))
  await Promise.all(writers.map(({ ended }) => ended))
  const { stop, ended } = startIndexer(world, network, { follow: false })
  // A run that waits too long for a lagging node is stopped.
  world.gate.startTimer(600_000, () => stop.abort(new Error('Stopped')))
  await ended
}
