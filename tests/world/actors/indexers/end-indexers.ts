import { finish } from '../../start-job.ts'
import { breach, type SimNetwork, type World } from '../../world.ts'
import { rememberedBlocks } from './chain-events.ts'
import { startIndexer, startIndexFunction } from './start-indexer.ts'

const STAY_OFF = 'indexers stay off'
const IN_VAIN = 'a run in vain'

export const INDEXER_ENDINGS = {
  /** Indexers that have ended stay off at first, while loads store events above their checkpoints. */
  [STAY_OFF]: { chance: 0.25 },
  /** Indexers run, and some restart, while their nodes become unavailable. */
  [IN_VAIN]: { chance: 0.08 },
}

const LEAVES_REST = 'A run that ends before its first change leaves a resting network at rest.'
const WAITS_FOR_GOOD = 'No writer waits forever for a writer that has died.'

/** Resolves with the networks whose indexers stay off at first. */
export async function endIndexers(world: World): Promise<ReadonlySet<SimNetwork>> {
  const { life, networks } = world
  const isInVain = life.endings.includes(IN_VAIN)
  if (isInVain) for (const network of networks.values()) await runInVain(world, network)
  const mayStayOff = isInVain || life.endings.includes(STAY_OFF)
  const off = new Set([...networks.values()].filter(each => mayStayOff && canStayOff(world, each)))
  for (const network of networks.values()) {
    network.chain.finalize(network.finalDistance)
    if (network.isIndexed && !off.has(network)) await indexToHead(world, network)
  }
  return off
}

/** The nodes become unavailable before the run can change anything, except that it may restart the indexing. */
async function runInVain(world: World, network: SimNetwork): Promise<void> {
  if (!network.isIndexed || network.restarts) return
  const wasResting = isResting(world, network)
  network.restarts = world.random.chance(0.5)
  network.chain.soon({
    requests: network.sims.length + (network.restarts ? 2 : 1),
    act() {
      for (const node of network.sims) node.mood = 'gone'
    },
  })
  await world.gate.until(startIndexer(world, network, { follow: false }).ended)
  for (const node of network.sims) node.mood = 'honest'
  network.chain.soon(undefined)
  if (wasResting && !network.restarts && !isResting(world, network))
    breach(world, LEAVES_REST, `${network.network} is at work`)
}

/** Whether the network's last indexer has ended without leaving work to the next indexer. */
export function isResting(world: World, network: SimNetwork): boolean {
  const { blockNumber, leased, atRest = true } = world.table.checkpoints().get(network.network) ?? {}
  if (!network.isIndexed || network.restarts || leased) return false
  if (blockNumber === undefined) return true
  return atRest && rememberedBlocks(world, network).every(({ number }) => number <= blockNumber)
}

/** Whether the indexer may stay off. A damaged table must be audited, and an audit needs a checkpoint. */
export function canStayOff(world: World, network: SimNetwork): boolean {
  const isAuditable = world.table.checkpoints().get(network.network)?.blockNumber !== undefined
  return isResting(world, network) && (isAuditable || !world.isTampered)
}

export async function indexToHead(world: World, network: SimNetwork): Promise<void> {
  if (network.isByFunction && !network.restarts && (await indexByFunction(world, network))) return
  const job = startIndexer(world, network, { follow: false })
  await world.gate.until(job.ended)
  if (job.end === 'done') return
  // A run that was killed during a restart has perhaps already changed the scope.
  if (job.end === 'ScopeChangedError') network.restarts = true
  await finish(world, startIndexer(world, network, { follow: false }))
}

/** Repeats the invocation until it does not wait for another writer's lease. Returns whether it has indexed. */
async function indexByFunction(world: World, network: SimNetwork): Promise<boolean> {
  for (let times = 0; times < MOST_BUSY_INVOCATIONS; times += 1) {
    let isBusy = false
    const onBusy = () => {
      isBusy = true
    }
    const job = startIndexFunction(world, network, { follow: false, onBusy })
    await world.gate.until(job.ended)
    if (!isBusy) return job.end === 'done'
  }
  breach(world, WAITS_FOR_GOOD, `${network.network} was busy in ${MOST_BUSY_INVOCATIONS} invocations`)
  return false
}

/** This many invocations, each of which watches a lease for 45 seconds, outlast the longest lease of 120 seconds. */
const MOST_BUSY_INVOCATIONS = 5
