import type { Random } from '../support/records/random.ts'
import { damageTable } from './actors/audit/damage-table.ts'
import { startAudit, startAuditFunction } from './actors/audit/start-audit.ts'
import { startCaller } from './actors/callers/start-caller.ts'
import { startIndexer } from './actors/indexers/start-indexer.ts'
import { loadSome } from './actors/loads/start-load.ts'
import { restoreTable } from './actors/operator/restore-table.ts'
import { startReader } from './actors/readers/start-reader.ts'
import { isRunning, type Job, running, type SimNetwork, type World } from './world.ts'

/**
 * Stories of several steps, each in the order in which a rare mistake does harm. Single actions meet such an order almost
 * never, so each of these stories waits for its own steps while everything else in the world goes on.
 */
export interface Acting {
  world: World
  network: SimNetwork
  random: Random
}

/** The chain leaves indexed blocks, or blocks that a dead writer has remembered, between two requests of an indexer. */
export async function reorganiseBetweenRequests({ world, network, random }: Acting): Promise<void> {
  if (!network.isIndexed) return
  const { chain, sims } = network
  await indexNow(world, network)
  const count = 1 + random.below(3)
  for (let left = count; left > 0; left -= 1) chain.mine(3)
  const hasDeadWriter = random.chance(0.5)
  if (hasDeadWriter)
    await dieAtWrite(world, startIndexer(world, network, { follow: false }), 2 + random.below(4))
  // A run asks each node for its chain, then for the heads, the checkpoint's block, remembered blocks, and new blocks.
  const requests = sims.length + random.pick(hasDeadWriter ? [3, 4, 4, 4, 5, 6] : [2, 3, 3, 3, 4, 5])
  const isStopped = hasDeadWriter && random.chance(0.3)
  chain.soon({
    requests,
    act() {
      if (isStopped) return writer.stop.abort(new Error('Stopped'))
      const { blockNumber = chain.head().number } = world.table.checkpoints().get(network.network) ?? {}
      const above = chain.head().number - blockNumber
      chain.reorganise(hasDeadWriter ? Math.max(1, above - random.below(count)) : above + 1 + random.below(2))
    },
  })
  const writer = startIndexer(world, network, { follow: random.chance(0.5) })
}

/** Several chains leave blocks that readers have read, and their indexers notice it at the same time. */
export async function reorganiseAll({ world, random }: Acting): Promise<void> {
  const indexed = [...world.networks.values()].filter(({ isIndexed }) => isIndexed)
  for (const network of indexed) {
    for (let left = 1 + random.below(3); left > 0; left -= 1) network.chain.mine(3)
    await indexNow(world, network)
  }
  await readNow(world)
  const writers = indexed.map(network => {
    network.chain.reorganise(1 + random.below(4))
    return startIndexer(world, network, { follow: false })
  })
  const writer = writers.length > 0 && random.pick(writers)
  if (!writer || random.chance(0.6)) return
  // The writer dies between the steps of its repair, and another continues.
  await dieAtWrite(world, writer, 2 + random.below(8))
  for (const network of indexed) startIndexer(world, network, { follow: true })
}

/** All nodes stand for two that disagree, because the chain has just left some blocks. */
export async function divideNodes({ world, network, random }: Acting): Promise<void> {
  if (!network.isIndexed) return
  const { chain, sims } = network
  await indexNow(world, network)
  for (let left = 2 + random.below(3); left > 0; left -= 1) chain.mine(3)
  for (const node of sims) node.mood = 'balanced'
  chain.reorganise(2 + random.below(3))
  await startIndexer(world, network, { follow: false }).ended
  for (const node of sims) node.mood = 'honest'
}

/** A caller has got its first page of final events before the table goes back to an earlier moment. */
export async function restoreDuringWalk({ world, network, random }: Acting): Promise<void> {
  if (!network.isIndexed || network.finalDistance > FEW_BLOCKS) return
  await indexNow(world, network)
  takeCopy(world)
  finalizeMore(network)
  await indexNow(world, network)
  world.service.restart()
  const { promise: restored, resolve } = Promise.withResolvers<void>()
  const onFirstPage = () => {
    if (world.isEnding || !world.copy) return
    restoreTable(world, world.copy)
    startIndexer(world, network, { follow: true })
    resolve()
  }
  await Promise.race([restored, startCaller(world, network, random, { onFirstPage }).ended])
}

/** An operator moves the checkpoint back, mostly below a block that has been audited. */
export async function goBack({ world, network, random }: Acting): Promise<void> {
  if (!network.isIndexed || network.restarts) return
  await indexNow(world, network)
  if (random.chance(0.8)) await startAuditFunction(world, network).ended
  const { blockNumber, auditedBlock = blockNumber } = world.table.checkpoints().get(network.network) ?? {}
  if (blockNumber === undefined || auditedBlock === undefined) return
  network.wentBack += 1
  const backTo = random.pick([blockNumber, auditedBlock, auditedBlock]) - random.below(5)
  await startIndexer(world, network, { follow: false, backTo }).ended
}

/** The table is damaged after an audit has read it, and another audit ends before the first one vouches for it. */
export async function damageBesideAudit({ world, network, random }: Acting): Promise<void> {
  if (!network.isIndexed) return
  const { table, gate } = world
  if (network.finalDistance < FEW_BLOCKS) finalizeMore(network)
  await indexNow(world, network)
  const first = startAnyAudit({ world, network, random })
  const damage = () => {
    damageTable(world, network, random)
    gate.pause(first.actor, 60_000)
    if (random.chance(0.7)) startAnyAudit({ world, network, random })
  }
  // After its last read of events, an audit asks each node for the block for which it vouches.
  table.onRead = ({ actor, list }) => {
    if (actor === first.actor && list.startsWith('all@')) network.chain.soon({ requests: 1, act: damage })
  }
  await first.ended
  table.onRead = undefined
}

const startAnyAudit = ({ world, network, random }: Acting): Job =>
  random.chance(0.5)
    ? startAuditFunction(world, network)
    : startAudit(world, network, { repair: false, lists: 'look-up', file: undefined })

/** A load dies after readers have heard of it. They have read a part of the blocks of which it stores the rest. */
export async function loadInParts({ world, random }: Acting): Promise<void> {
  const { networks, gate } = world
  const isMostlyLoaded = ({ isIndexed, contracts, finalDistance }: SimNetwork) =>
    (!isIndexed || contracts !== 'any') && finalDistance < FEW_BLOCKS
  const candidates = [...networks.values()].filter(isMostlyLoaded)
  if (candidates.length === 0) return
  const network = random.pick(candidates)
  finalizeMore(network)
  await loadSome(world, network, { share: 0.3 }).ended
  await readNow(world)
  const load = loadSome(world, network, { share: 1 })
  await dieAtWrite(world, load, 3 + random.below(6))
  startReaders(world, { once: false })
  await new Promise<void>(resolve => gate.startTimer(15_000, resolve))
}

/** Readers read a network at rest at the moment at which an indexer begins to store many events. */
export async function readWhileWriterBegins({ world, network, random }: Acting): Promise<void> {
  if (!network.isIndexed) return
  const { chain, sims } = network
  await indexNow(world, network)
  await readNow(world)
  for (let left = 3 + random.below(3); left > 0; left -= 1) chain.mine(8)
  const { lag } = world.table
  const before = { ...lag }
  Object.assign(lag, { slowReads: 0.5, unprocessed: 0.3 })
  chain.soon({
    requests: 1 + random.below(sims.length + 1),
    act: () => void startReaders(world, { once: true }),
  })
  await startIndexer(world, network, { follow: false }).ended
  Object.assign(lag, before)
}

/** So many blocks cost little. */
const FEW_BLOCKS = 20

/** Makes all known blocks final, and mines as many again. */
function finalizeMore({ chain, finalDistance }: SimNetwork): void {
  for (let left = finalDistance + 3; left > 0; left -= 1) chain.mine(3)
  chain.finalize(finalDistance)
}

/** Copies the table, so that an operator can go back to this moment. */
export function takeCopy(world: World): void {
  world.copy = world.table.copy()
  for (const network of world.networks.values()) network.openAtCopy = new Set(network.unfinishedLoads)
}

/** Stops the network's writers, and indexes it to its head. */
async function indexNow(world: World, network: SimNetwork): Promise<void> {
  const writers = world.jobs.filter(job => isRunning(job) && job.name === `indexer ${network.network}`)
  for (const { stop } of writers) stop.abort(new Error('Stopped'))
  await Promise.all(writers.map(({ ended }) => ended))
  await startIndexer(world, network, { follow: false }).ended
}

/** Starts every reader that does not run. */
const startReaders = (world: World, { once }: { once: boolean }): Job[] =>
  [...world.readers.values()]
    .filter(({ plan, ended }) => ended === undefined && !running(world, plan.name))
    .map(remains => startReader(world, remains, { once }))

/** Lets every reader that does not run read to the end. */
async function readNow(world: World): Promise<void> {
  await Promise.all(startReaders(world, { once: true }).map(({ ended }) => ended))
}

/** Lets a job die at one of its writes, unless it ends before. */
async function dieAtWrite(world: World, { actor, ended }: Job, writes: number): Promise<void> {
  world.ambush = { actor, writes, onDeath: () => undefined }
  await ended
  if (world.ambush?.actor === actor) world.ambush = undefined
}
