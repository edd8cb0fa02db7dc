import { CHECKPOINTS_LIST, REVISIONS_LIST } from '../../../../lib/store/format/keys.ts'
import type { Random } from '../../../support/records/random.ts'
import { createSimChain } from '../../outside/sim-chain.ts'
import { createSimNode } from '../../outside/sim-node.ts'
import { dieAtWrite, finish, isRunning } from '../../start-job.ts'
import { type Acting, act, breach, type Job, type Part, type SimNetwork, type World } from '../../world.ts'
import { FEW_BLOCKS, finalizeMore, someIndexed } from '../chains/chains.ts'
import { rememberedBlocks } from '../indexers/chain-events.ts'
import { isResting } from '../indexers/end-indexers.ts'
import { goBack } from '../indexers/indexer-stories.ts'
import { indexNow } from '../indexers/start-indexer.ts'
import { loadSome } from '../loads/start-load.ts'
import { readNow, readToEnd, startReaders } from '../readers/start-readers.ts'
import { AUDIT_LAWS, auditsOf } from './audit-laws.ts'
import { damageTable, leaveDifference } from './damage-table.ts'
import { startAudit, startAuditFunction } from './start-audit.ts'

/** The table is damaged again, and a repair must find the damage. */
const LAST_DAMAGE = 'a last damage'

const DAMAGED = { [LAST_DAMAGE]: 1, 'indexers stay off': 0.5, 'a run in vain': 0 }

export const AUDITS: Part = {
  acts: {
    audit: act(3, ({ world, network, random }) => {
      const file = random.chance(0.5) ? auditsOf(network).file : undefined
      const lists = random.pick(['scan', 'look-up'] as const)
      const stranger = perhapsStranger(world, network, random)
      startAudit(world, network, { repair: false, lists, file, stranger })
    }),
    'audit and repair': act(2, ({ world, network, random }) => {
      startAudit(world, network, { repair: true, lists: random.pick(['scan', 'look-up']) })
    }),
    'audit as the function does': act(2, ({ world, network, random }) => {
      if (!network.isIndexed) return
      startAuditFunction(world, network, { stranger: perhapsStranger(world, network, random) })
    }),
    'audit and go back': act(1, ({ world, network, random }) =>
      goBack({ world, network, random }, { before: () => startAuditFunction(world, network).ended }),
    ),
    'damage beside an audit': act(0, damageBesideAudit),
    'repair in trouble': act(0, repairInTrouble),
    damage: act(0, ({ world, network, random }) => {
      const damage = () => void damageTable(world, network, random)
      if (random.chance(0.6)) return damage()
      // The table is damaged after an audit has read some blocks, but before it moves the audited block past them.
      startAudit(world, network, { repair: false, lists: 'look-up' })
      network.chain.soon({ requests: 2 + random.below(9), act: damage })
    }),
  },
  themes: [
    {
      weights: {
        'audit as the function does': 6,
        audit: 8,
        'restart the same': 3,
        'restart wider': 3,
        'go back': 1,
        'audit and go back': 4,
        'load what has just become final': 5,
      },
    },
    {
      weights: {
        damage: 3,
        'damage beside an audit': 60,
        'audit and repair': 2,
        'audit as the function does': 4,
        audit: 3,
      },
      endings: DAMAGED,
    },
    { weights: { damage: 8, 'audit and repair': 6, 'start readers': 6 }, endings: DAMAGED },
    { weights: { 'repair in trouble': 60, 'start readers': 4 }, plan: { isIndexed: false } },
    { weights: { 'repair in trouble': 60, 'start readers': 4 } },
    {
      weights: { 'change a node': 10, 'start writers': 8, 'audit as the function does': 5, mine: 12 },
      moods: ['honest', 'lying', 'lying', 'forgetful', 'hasty'],
    },
  ],
  endings: { [LAST_DAMAGE]: { chance: 0 } },
  laws: AUDIT_LAWS,
  finish: repairAll,
  onRestore(network) {
    const audits = auditsOf(network)
    audits.file.progress = undefined
    audits.secrets.clear()
    // The restored copy of the table may have been made in the middle of a repair.
    audits.hasUnfinishedRepair = true
  },
}

/** A node on a branch that the network has left, for example because the node has missed an upgrade of the network. */
function perhapsStranger({ gate }: World, { network, chain, finalDistance }: SimNetwork, random: Random) {
  if (random.chance(0.6)) return undefined
  // Blocks without events look the same on both branches, so an audit may only notice the split much later.
  const settled = chain.blocks.slice(0, chain.finalized().number - chain.first + 1)
  const splits = [...settled.keys()].filter(index => settled[index]?.events.length === 0)
  const begin = settled.slice(0, random.pick([0, ...splits.slice(-6)]))
  const branch = createSimChain(network, { random, startMs: gate.now(), begin, firstBlocks: 0 })
  // If the branch is shorter, the node lacks the checkpoint's block, and so does not reveal that its chain is another.
  const length = Math.max(1, chain.blocks.length - random.pick([0, 0, 2, 5]))
  while (branch.blocks.length < length) branch.mine(random.chance(0.3) ? 1 : 0)
  branch.finalize(finalDistance)
  const traits = { hasBlockReceipts: true, widestRange: 100 }
  return createSimNode(`stranger.${network}`, { chain: branch, gate, random, traits })
}

/** Damages a table that an audit has read. Another audit may end before the first audit moves the audited block. */
async function damageBesideAudit({ world, random }: Acting): Promise<void> {
  const network = someIndexed(world)
  if (!network) return
  const { table, gate } = world
  finalizeMore(network)
  await indexNow(world, network)
  if (random.chance(0.3)) leaveDifference(world, network)
  const first = startAnyAudit({ world, network, random })
  let hasReadEvents = false
  table.onRead = ({ actor, list }) => {
    if (actor !== first.actor) return
    if (list.startsWith('all@')) hasReadEvents = true
    // After the last read of events, an audit reads the checkpoint to learn whether it may move the audited block.
    if (!hasReadEvents || list !== CHECKPOINTS_LIST) return
    table.onRead = undefined
    const isSecret = damageTable(world, network, random)
    gate.pause(first.actor, 60_000)
    if (isSecret) startAnyAudit({ world, network, random })
  }
  await first.ended
  table.onRead = undefined
}

/** A repair of damaged events dies, loses replies, or waits after its entry in the log and before its writes. */
async function repairInTrouble({ world, random }: Acting): Promise<void> {
  const { gate, table, networks, jobs, readers } = world
  const near = [...networks.values()].filter(({ finalDistance }) => finalDistance <= FEW_BLOCKS)
  if (near.length === 0) return
  const network = random.pick(near)
  // Readers that have not read the newest events before the repair must still receive them afterwards.
  for (const job of jobs) if (isRunning(job) && readers.has(job.name)) gate.pause(job.actor, 30_000)
  finalizeMore(network)
  if (network.isIndexed) await indexNow(world, network)
  else await loadSome(world, network, { share: 1 }).ended
  const stored = network.chain.blocks.flatMap(({ events }) => events).filter(table.hasWhole)
  for (let left = 3; left > 0; left -= 1) damageTable(world, network, random)
  auditsOf(network).hasUnfinishedRepair = true
  await readNow(world)
  // An audit looks items up with eventually consistent reads, which do not always show the damage of the last second.
  await new Promise<void>(resolve => gate.startTimer(2000, resolve))
  const repair = startAudit(world, network, { repair: true, lists: 'look-up' })
  const { faults } = gate
  const { onWrite } = table
  const isOver = !network.isIndexed && random.chance(0.4)
  const trouble = isOver
    ? 'dies when all is stored'
    : random.pick(['dies', 'loses replies', 'pauses', 'pauses'])
  if (trouble === 'dies')
    return dieAtWrite(world, repair, { after: REVISIONS_LIST, writes: 1 + random.below(8) })
  let hasEntry = false
  table.onWrite = write => {
    onWrite?.(write)
    if (write.actor !== repair.actor) return
    const isEntry = !hasEntry && write.keys.some(({ list }) => list === REVISIONS_LIST)
    hasEntry ||= isEntry
    if (trouble === 'dies when all is stored') {
      if (hasEntry && stored.every(table.hasWhole)) gate.kill(repair.actor)
    } else if (!isEntry) return
    else if (trouble === 'loses replies') gate.faults = { ...faults, lost: 0.3 }
    else {
      gate.pause(repair.actor, 12_000)
      startReaders(world, { once: true })
    }
  }
  await repair.ended
  table.onWrite = onWrite
  gate.faults = world.isEnding ? gate.faults : faults
}

const startAnyAudit = ({ world, network, random }: Acting): Job =>
  random.chance(0.5)
    ? startAuditFunction(world, network)
    : startAudit(world, network, { repair: false, lists: 'look-up' })

/** Completes repairs that died. With `LAST_DAMAGE`, also damages networks, and repairs them after readers caught up. */
async function repairAll(world: World): Promise<void> {
  const isDamaged = world.life.endings.includes(LAST_DAMAGE)
  for (const network of world.networks.values()) {
    if (isDamaged) {
      if (network.isIndexed && world.random.chance(0.5))
        await world.gate.until(startAuditFunction(world, network).ended)
      damageTable(world, network, world.random)
      // Readers that have read everything before a repair must still have all stored events after the repair.
      await readToEnd(world)
    }
    if (!isDamaged && !auditsOf(network).hasUnfinishedRepair) continue
    const wasResting = isResting(world, network)
    const repair = startAudit(world, network, { repair: true, lists: 'scan' })
    // Some networks have no final block to audit.
    await finish(world, repair, { mayEndWith: ['NothingToAuditError'] })
    const { blockNumber, atRest } = world.table.checkpoints().get(network.network) ?? {}
    const hasBlocksAbove = rememberedBlocks(world, network).some(({ number }) => number > (blockNumber ?? -1))
    if (wasResting && blockNumber !== undefined && !atRest && !hasBlocksAbove)
      breach(
        world,
        'A repair leaves a resting network at rest, unless a remembered block is above the checkpoint.',
        `${network.network} is at work at block ${blockNumber}`,
      )
  }
}
