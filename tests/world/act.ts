import { CHAINS } from '../../lib/events/networks.ts'
import { createRandom, type Random } from '../support/records/random.ts'
import { damageTable } from './actors/audit/damage-table.ts'
import { startAudit, startAuditFunction } from './actors/audit/start-audit.ts'
import { startCaller } from './actors/callers/start-caller.ts'
import { startIndexer, startIndexFunction } from './actors/indexers/start-indexer.ts'
import { loadSome } from './actors/loads/start-load.ts'
import { restoreTable } from './actors/operator/restore-table.ts'
import { startReader } from './actors/readers/start-reader.ts'
import type { Action, ActionKind } from './life.ts'
import type { Mood, SimNode } from './outside/sim-node.ts'
import {
  type Acting,
  damageBesideAudit,
  divideNodes,
  goBack,
  loadInParts,
  readWhileWriterBegins,
  reorganiseAll,
  reorganiseBetweenRequests,
  restoreDuringWalk,
  takeCopy,
} from './stories.ts'
import { DAY_MS, isRunning, type Job, running, type SimNetwork, type World } from './world.ts'

const isUntrue = (mood: Mood) => mood === 'lying' || mood === 'forgetful'

/**
 * Does one thing of the conductor's: the chains', the operator's, and whatever else happens by itself. What consists of
 * several steps resolves after the last one.
 */
export function act(world: World, { kind, chance }: Action): void | Promise<void> {
  const random = createRandom(chance)
  const network = random.pick([...world.networks.values()])
  world.gate.note(`» ${kind} (${network.network})`)
  return ACTS[kind]({ world, network, random })
}

const ACTS: Record<ActionKind, (acting: Acting) => void | Promise<void>> = {
  mine({ network, random }) {
    const count = 1 + random.below(5)
    for (let left = count; left > 0; left -= 1) network.chain.mine(3)
    // An indexer asks for the heads, for the block of its checkpoint, and then finds other blocks than before.
    if (random.chance(0.4))
      reorganiseSoon(network, { requests: random.pick([2, 3, 3, 4]), depth: count + random.below(4) })
  },
  reorganise({ world, network, random }) {
    // Entries of the log that several networks append at once must get different numbers.
    const isOfAll = random.chance(0.3)
    for (const each of isOfAll ? world.networks.values() : [network])
      each.chain.reorganise(1 + random.below(6))
  },
  finalize({ network }) {
    if (!network.isFinalityStalled) network.chain.finalize(network.finalDistance)
  },
  'stall finality'({ network, random }) {
    network.isFinalityStalled = random.chance(0.7)
  },
  'start writers'({ world, random }) {
    for (const network of world.networks.values()) {
      const mayCompete = random.chance(world.life.hasRivals ? 0.7 : 0.1)
      const isFree = mayCompete || !running(world, `indexer ${network.network}`)
      if (network.isIndexed && isFree) startSomeIndexer(world, network, random)
      // Two schedulers, or two operators, start the same at the same moment.
      if (network.isIndexed && world.life.hasRivals && random.chance(0.4))
        startSomeIndexer(world, network, random)
    }
  },
  'kill a job'({ world, random }) {
    const jobs = world.jobs.filter(isRunning)
    if (jobs.length > 0) world.gate.kill(random.pick(jobs).actor)
  },
  'stop a writer'({ world, random }) {
    stopOne(
      world.jobs.filter(job => isRunning(job) && job.kind !== 'publisher'),
      random,
    )
  },
  'restart wider'({ world, network, random }) {
    if (!network.isIndexed) return
    stopOne(jobsOf(world, `indexer ${network.network}`), random)
    if (random.chance(0.7)) network.contracts = 'any'
    network.fromBlock = Math.max(network.chain.first, network.fromBlock - random.below(2))
    network.restarts = true
  },
  'restart the same'({ world, network, random }) {
    if (!network.isIndexed) return
    stopOne(jobsOf(world, `indexer ${network.network}`), random)
    network.restarts = true
  },
  'go back': goBack,
  load({ world, network, random }) {
    for (const each of random.chance(0.3) ? world.networks.values() : [network])
      killAtWrite(world, loadSome(world, each, { share: random.pick([0.1, 0.5, 1]) }), random)
  },
  audit({ world, network, random }) {
    const file = random.chance(0.5) ? network.auditFile : undefined
    startAudit(world, network, { repair: false, lists: random.pick(['scan', 'look-up']), file })
  },
  'audit and repair': ({ world, network, random }) =>
    void startAudit(world, network, { repair: true, lists: random.pick(['scan', 'look-up']) }),
  'audit as the function does'({ world, network }) {
    if (network.isIndexed) startAuditFunction(world, network)
  },
  'start readers'({ world, random }) {
    for (const remains of world.readers.values()) {
      if (running(world, remains.plan.name) || remains.ended !== undefined) continue
      if (random.chance(0.8)) startReader(world, remains, { once: random.chance(0.2) })
    }
  },
  call({ world, network, random }) {
    // The newest block is mostly not indexed yet.
    if (random.chance(0.3)) network.chain.mine(4)
    startCaller(world, network, random)
  },
  'change a node'({ world, network, random }) {
    // Programs ask the first node until it fails.
    const node = random.chance(0.5) ? (network.sims[0] as SimNode) : random.pick(network.sims)
    changeMood(node, { world, network, random })
    if (isUntrue(node.mood)) for (let left = 3; left > 0; left -= 1) network.chain.mine(3)
  },
  'change a receiver'({ world, random }) {
    for (const { receiver } of world.readers.values()) receiver.isDown = random.chance(0.4)
  },
  'load what has just become final'({ world, network, random }) {
    const { chain, finalDistance } = network
    const wasReplaced = chain.reorganise(1 + random.below(3)) > 0
    for (let left = finalDistance; left > 0; left -= 1) chain.mine(random.below(2))
    // Nearer to the head, no node is believed.
    const least = Math.min(CHAINS[network.network].finalAfter, finalDistance)
    if (!network.isFinalityStalled) chain.finalize(least + random.below(2))
    if (wasReplaced && network.isIndexed) startSomeIndexer(world, network, random)
    loadSome(world, network, { share: 1 })
  },
  'new instances': ({ world }) => world.service.restart(),
  'let time pass'({ world, random }) {
    world.gate.jump(random.pick([5000, 40_000, 200_000, 900_000]))
  },
  'freeze a writer'({ world, network, random }) {
    const [writer] = jobsOf(world, `indexer ${network.network}`)
    if (!writer) return
    world.gate.pause(writer.actor, 2 * network.leaseMs + random.below(60_000))
    startIndexer(world, network, { follow: false })
    for (let left = random.below(5); left >= 0; left -= 1) network.chain.mine(3)
  },
  'crash and reorganise'({ world, network, random }) {
    const { chain } = network
    const [writer] = jobsOf(world, `indexer ${network.network}`)
    // A writer that has something to write dies between two writes, of blocks or of a repair.
    if (!writer) return crash({ world, network, random })
    if (random.chance(0.5)) chain.reorganise(1 + random.below(3))
    for (let left = 1 + random.below(3); left > 0; left -= 1) chain.mine(3)
    world.ambush = {
      actor: writer.actor,
      writes: 1 + random.below(12),
      onDeath: () => crash({ world, network, random }),
    }
  },
  damage({ world, network, random }) {
    const damage = () => damageTable(world, network, random)
    if (random.chance(0.6)) return damage()
    // An audit has read some blocks, and vouches for them later.
    startAudit(world, network, { repair: false, lists: 'look-up', file: undefined })
    network.chain.soon({ requests: 2 + random.below(9), act: damage })
  },
  'let the log expire'({ world, random }) {
    world.gate.jump(world.life.keptDays * random.pick([0.3, 0.6, 0.6, 1.2, 3]) * DAY_MS)
    world.table.letExpire()
  },
  'take a copy': ({ world }) => takeCopy(world),
  restore({ world }) {
    if (world.copy) restoreTable(world, world.copy)
  },
  'restore during a walk': restoreDuringWalk,
  'reorganise between requests': reorganiseBetweenRequests,
  'reorganise all': reorganiseAll,
  'divide nodes': divideNodes,
  'damage beside an audit': damageBesideAudit,
  'load in parts': loadInParts,
  'read while a writer begins': readWhileWriterBegins,
}

const reorganiseSoon = ({ chain }: SimNetwork, { requests, depth }: { requests: number; depth: number }) =>
  chain.soon({ requests, act: () => chain.reorganise(depth) })

/** Lets some loads die after a part of their events. */
function killAtWrite(world: World, { actor }: Job, random: Random): void {
  if (random.chance(0.3)) world.ambush ??= { actor, writes: 3 + random.below(10), onDeath: () => undefined }
}

/** Kills a network's indexers. Meanwhile the chain goes on, and another indexer starts. */
function crash({ world, network, random }: Acting): void {
  const { chain, finalDistance, sims } = network
  for (const job of jobsOf(world, `indexer ${network.network}`)) world.gate.kill(job.actor)
  // One of several nodes may stay on the fork that the writer has seen.
  if (sims.length > 1 && random.chance(0.4)) random.pick(sims).mood = 'forked'
  chain.reorganise(1 + random.below(3))
  // After a long outage, the blocks that have replaced the writer's are final.
  const isLong = finalDistance < 20 && random.chance(0.4)
  for (let left = isLong ? 2 * finalDistance : random.below(3); left > 0; left -= 1) chain.mine(2)
  if (isLong) chain.finalize(finalDistance)
  if (random.chance(0.4))
    reorganiseSoon(network, { requests: 4 + random.below(6), depth: 1 + random.below(8) })
  if (random.chance(0.5)) world.gate.jump(network.leaseMs)
  if (network.isIndexed) startIndexer(world, network, { follow: true })
}

/** Gives a node another mood. */
export function changeMood(node: SimNode, { world, network, random }: Acting): void {
  const mood = random.pick(world.life.moods)
  // Without any proof a node is believed, and in doubt two nodes that say the same.
  const isOther = network.sims.some(other => other !== node && isUntrue(other.mood))
  const isBelieved = network.proof === 'none' || (network.proof === 'doubt' && isOther)
  node.mood = isBelieved && isUntrue(mood) ? 'honest' : mood
  node.lag = 1 + random.below(8)
  // Sometimes all nodes disappear, in the middle of what a program does.
  if (mood === 'gone' && random.chance(0.4))
    network.chain.soon({
      requests: 1 + random.below(6),
      act() {
        for (const each of network.sims) each.mood = 'gone'
      },
    })
}

function startSomeIndexer(world: World, network: SimNetwork, random: Random): void {
  const isByFunction = network.isByFunction && !network.restarts && random.chance(0.7)
  if (isByFunction) startIndexFunction(world, network, { follow: random.chance(0.5) })
  else startIndexer(world, network, { follow: random.chance(0.7) })
}

const jobsOf = ({ jobs }: World, name: string) => jobs.filter(job => job.name === name && isRunning(job))

function stopOne(jobs: readonly Job[], random: Random): void {
  if (jobs.length > 0) random.pick(jobs).stop.abort(new Error('Stopped'))
}
