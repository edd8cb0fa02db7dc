import { CHAINS } from '../../../../lib/events/networks.ts'
import type { Random } from '../../../support/records/random.ts'
import { CONTRACTS } from '../../outside/log-pool.ts'
import { isRunning, jobsOf } from '../../start-job.ts'
import { type Acting, act, type Job, type Part, type SimNetwork, type World } from '../../world.ts'
import { INDEXER_ENDINGS } from './end-indexers.ts'
import { INDEXER_LAWS } from './indexer-laws.ts'
import {
  backfillSlowly,
  claimTogether,
  crash,
  divideNodes,
  doubtFinalBlock,
  goBack,
  reorganiseAll,
  reorganiseBetweenRequests,
  replaceBehindBalancers,
} from './indexer-stories.ts'
import { indexNow, startIndexer, startSomeIndexer } from './start-indexer.ts'

export const INDEXERS: Part = {
  acts: {
    'start writers': act(5, ({ world, random }) => {
      const { networks, life } = world
      for (const network of [...networks.values()].filter(({ isIndexed }) => isIndexed)) {
        const mayCompete = random.chance(life.hasRivals ? 0.7 : 0.1)
        const isFree = jobsOf(world, `indexer ${network.network}`).length === 0
        if (mayCompete || isFree) startSomeIndexer(world, network, random)
        // Two schedulers or two operators start an indexer at the same time.
        if (life.hasRivals && random.chance(0.4)) startSomeIndexer(world, network, random)
      }
    }),
    'kill a job': act(3, ({ world, random }) => {
      const jobs = world.jobs.filter(isRunning)
      if (jobs.length > 0) world.gate.kill(random.pick(jobs).actor)
    }),
    'stop a writer': act(2, ({ world, random }) => stopOne(world.jobs.filter(isRunning), random)),
    'restart wider': act(1, ({ world, network, random }) => {
      if (!network.isIndexed) return
      restart(world, network, random)
      if (random.chance(0.7)) {
        network.contracts = 'any'
        // If the scope has all contracts, the proof level `doubt` detects only lies that contradict the Bloom filter.
        if (network.proof === 'doubt') for (const node of network.sims) node.lies = 'against-bloom'
      }
      network.fromBlock = Math.max(network.chain.first, network.fromBlock - random.below(2))
    }),
    'restart the same': act(1, ({ world, network, random }) => {
      if (network.isIndexed) restart(world, network, random)
    }),
    'restart narrower': act(1, restartNarrower),
    'freeze a writer': act(0, ({ world, network, random }) => {
      if (!network.isIndexed) return
      const [writer = startIndexer(world, network, { follow: true })] = jobsOf(
        world,
        `indexer ${network.network}`,
      )
      const freeze = () => {
        world.ambush = undefined
        world.gate.pause(writer.actor, 2 * network.leaseMs + random.below(60_000))
        startIndexer(world, network, { follow: false })
      }
      // Most writers freeze between a write into `all` and a write into another list.
      const after = `all@${CHAINS[network.network].code}`
      if (random.chance(0.3)) freeze()
      else world.ambush = { actor: writer.actor, writes: 1, after, freeze }
      for (let left = random.below(5); left >= 0; left -= 1) network.chain.mine(3)
    }),
    'crash and reorganise': act(0, crash),
    'reorganise between requests': act(2, reorganiseBetweenRequests),
    'reorganise all': act(2, reorganiseAll),
    'divide nodes': act(1, divideNodes),
    'go back': act(1, acting => goBack(acting)),
    'backfill slowly': act(1, backfillSlowly),
    'claim together': act(0, claimTogether),
    'replace behind balancers': act(1, async acting => {
      await replaceBehindBalancers(acting)
      await doubtFinalBlock(acting)
    }),
  },
  themes: [
    // Writers that take over from each other.
    {
      hasRivals: true,
      weights: { 'start writers': 10, 'freeze a writer': 24, 'claim together': 8 },
      faults: { paused: 0.03 },
    },
    {
      hasRivals: true,
      weights: { 'start writers': 12, 'stop a writer': 8, 'restart the same': 4, mine: 14 },
      faults: { late: 0.15, lost: 0.05, paused: 0.02 },
      plan: { isByFunction: true },
    },
    // Crashes in the middle of writes.
    {
      weights: { 'kill a job': 4, 'start writers': 10, 'crash and reorganise': 10, mine: 12 },
      faults: { died: 0.02 },
    },
    { weights: { 'start writers': 8, 'crash and reorganise': 12, 'start readers': 8 }, isEager: true },
    // Runs with a narrower scope, which excludes events that a killed run has stored in part.
    {
      weights: { 'restart narrower': 24, 'start writers': 12, 'start readers': 6, mine: 12 },
      faults: { died: 0.02 },
      plan: { contracts: 'any' },
    },
  ],
  endings: INDEXER_ENDINGS,
  laws: INDEXER_LAWS,
}

/** Kills a writer or indexes to the head, and then restarts with fewer contracts or a later first block. */
async function restartNarrower({ world, network, random }: Acting): Promise<void> {
  // No audit would find damage outside the new scope, so an operator would repair a damaged table first.
  if (!network.isIndexed || world.isTampered) return
  const { chain, fromBlock } = network
  if (random.chance(0.5)) {
    for (const { actor } of jobsOf(world, `indexer ${network.network}`)) world.gate.kill(actor)
  } else {
    for (let left = 3; left > 0; left -= 1) chain.mine(8)
    await indexNow(world, network)
    // The table may have been damaged in the meantime.
    if (world.isTampered) return
  }
  restart(world, network, random)
  network.isNarrower = true
  if (random.chance(0.6)) network.contracts = CONTRACTS.slice(random.below(2), 2)
  if (random.chance(0.6)) network.fromBlock += random.below(chain.head().number + 1 - fromBlock)
  if (random.chance(0.2)) return
  // The new run remembers again the blocks that the old run remembered, and some of them then leave the chain. Nodes
  // that lag lack some of these blocks, although the blocks are still on the chain.
  const lag = random.below(8)
  if (lag > 3) for (const node of network.sims) Object.assign(node, { mood: 'lagging', lag })
  await startIndexer(world, network, { follow: false }).ended
  chain.reorganise(1 + random.below(8))
  startIndexer(world, network, { follow: random.chance(0.5) })
}

function restart(world: World, network: SimNetwork, random: Random): void {
  stopOne(jobsOf(world, `indexer ${network.network}`), random)
  network.restarts = true
}

function stopOne(jobs: readonly Job[], random: Random): void {
  if (jobs.length > 0) random.pick(jobs).stop.abort(new Error('Stopped'))
}
