import { CHECKPOINTS_LIST, REVISIONS_LIST } from '../../../../lib/store/format/keys.ts'
import { recentBlocksList } from '../../../../lib/store/writing/recent-blocks.ts'
import { dieAtWrite, jobsOf } from '../../start-job.ts'
import type { Acting } from '../../world.ts'
import { finalizeMore, someIndexed, unindexedBlocks } from '../chains/chains.ts'
import { readNow } from '../readers/start-readers.ts'
import { indexNow, startIndexer } from './start-indexer.ts'

/**
 * Each story performs several steps in an order in which a rare mistake would do harm. Single actions would almost
 * never happen in this order. A story therefore waits for each of its steps, while everything else in the world
 * continues.
 */

/** Gives a writer something to write, and kills it between two writes of blocks or of a repair. */
export function crash(acting: Acting): void {
  const { world, network, random } = acting
  const [writer] = jobsOf(world, `indexer ${network.network}`)
  const onDeath = () => goOnAfterCrash(acting)
  if (!writer) {
    onDeath()
    return
  }
  if (random.chance(0.5)) network.chain.reorganise(1 + random.below(3))
  for (let left = 1 + random.below(3); left > 0; left -= 1) network.chain.mine(3)
  world.ambush = { actor: writer.actor, writes: 1 + random.below(12), onDeath }
}

/** Kills a network's indexers, changes the chain, and starts another indexer. */
function goOnAfterCrash({ world, network, random }: Acting): void {
  const { chain, finalDistance, sims } = network
  for (const job of jobsOf(world, `indexer ${network.network}`)) world.gate.kill(job.actor)
  // One of several nodes may stay on the fork that the writer saw.
  if (sims.length > 1 && random.chance(0.4)) random.pick(sims).mood = 'forked'
  chain.reorganise(1 + random.below(3))
  // After a long outage, the blocks that replaced the writer's blocks are final.
  const isLong = finalDistance < 20 && random.chance(0.4)
  for (let left = isLong ? 2 * finalDistance : random.below(3); left > 0; left -= 1) chain.mine(2)
  if (isLong) chain.finalize(finalDistance)
  if (random.chance(0.4)) {
    const depth = 1 + random.below(8)
    chain.soon({ requests: 4 + random.below(6), act: () => chain.reorganise(depth) })
  }
  if (random.chance(0.5)) world.gate.jump(network.leaseMs)
  if (network.isIndexed) startIndexer(world, network, { follow: true })
}

/** A chain loses indexed blocks, or blocks that a dead writer has remembered, between two requests of an indexer. */
export async function reorganiseBetweenRequests({ world, network, random }: Acting): Promise<void> {
  if (!network.isIndexed) return
  const { chain, sims } = network
  await indexNow(world, network)
  const count = 1 + random.below(3)
  for (let left = count; left > 0; left -= 1) chain.mine(3)
  const hasDeadWriter = random.chance(0.5)
  if (hasDeadWriter)
    await dieAtWrite(world, startIndexer(world, network, { follow: false }), {
      writes: 1 + random.below(3),
      after: recentBlocksList(network.network),
    })
  // A run requests each node's chain id, and then the heads, the checkpoint's block, remembered blocks, and new blocks.
  const requests = sims.length + random.pick(hasDeadWriter ? [3, 4, 4, 4, 5] : [2, 3, 3, 3, 4, 5])
  const isStopped = hasDeadWriter && random.chance(0.2)
  chain.soon({
    requests,
    act() {
      if (isStopped) return writer.stop.abort(new Error('Stopped'))
      const { blockNumber = chain.head().number } = world.table.checkpoints().get(network.network) ?? {}
      const above = chain.head().number - blockNumber
      chain.reorganise(hasDeadWriter ? Math.max(1, above - random.below(count)) : above + 1 + random.below(2))
    },
  })
  const writer = startIndexer(world, network, { follow: !hasDeadWriter && random.chance(0.5) })
  // The new writer waits until the dead writer's lease ends.
  if (hasDeadWriter) await writer.ended
}

/** Several chains lose blocks that readers have read. The indexers notice the losses at the same time. */
export async function reorganiseAll({ world, random }: Acting): Promise<void> {
  const { table, gate, networks } = world
  const indexed = [...networks.values()].filter(({ isIndexed }) => isIndexed)
  for (const network of indexed) {
    for (let left = 1 + random.below(3); left > 0; left -= 1) network.chain.mine(3)
    await indexNow(world, network)
  }
  await readNow(world)
  const writers = indexed.map(network => {
    network.chain.reorganise(unindexedBlocks(network) + 1 + random.below(4))
    return startIndexer(world, network, { follow: false })
  })
  // The first writer that reads the log freezes, and the other writers write before it wakes.
  if (writers.length > 1)
    table.onRead = ({ actor, list }) => {
      if (list !== REVISIONS_LIST || !writers.some(writer => writer.actor === actor)) return
      table.onRead = undefined
      gate.pause(actor, 5000)
    }
  const writer = writers.length > 0 && random.pick(writers)
  if (!writer) return
  if (random.chance(0.6)) return void (await Promise.all(writers.map(({ ended }) => ended)))
  // The writer dies between two steps of its repair, and another writer continues.
  await dieAtWrite(world, writer, { writes: 2 + random.below(8) })
  for (const network of indexed) startIndexer(world, network, { follow: true })
}

/**
 * Replaces indexed blocks with blocks that become final. Meanwhile, each node shares its address with a second node,
 * which stays on the orphaned chain.
 */
export async function replaceBehindBalancers({ world, random }: Acting): Promise<void> {
  const network = someIndexed(world)
  if (!network) return
  const { chain, sims } = network
  for (let left = 3; left > 0; left -= 1) chain.mine(3)
  await indexNow(world, network)
  for (const node of sims) node.mood = 'balanced'
  chain.reorganise(unindexedBlocks(network) + 2 + random.below(4))
  finalizeMore(network)
  for (let left = 6; left > 0; left -= 1) await startIndexer(world, network, { follow: false }).ended
  for (const node of sims) node.mood = 'honest'
}

/**
 * Replaces indexed blocks with blocks that become final, while each node shares its address with a second node on the
 * orphaned chain. Once an indexer doubts a final block, all nodes begin to synchronise again, and lack this block.
 */
export async function doubtFinalBlock({ world }: Acting): Promise<void> {
  const network = someIndexed(world)
  if (!network) return
  const { chain, sims, confirmations, finalDistance } = network
  for (let left = 6; left > 0; left -= 1) chain.mine(1)
  await indexNow(world, network)
  for (const node of sims) node.mood = 'balanced'
  // The orphaned chain begins below the new final block, and is at most one block shorter than the new chain.
  chain.reorganise(2 * finalDistance)
  chain.finalize(finalDistance)
  for (let left = 3; left > 0; left -= 1) await startIndexer(world, network, { follow: false }).ended
  let isLacking = false
  for (let left = 6; left > 0 && !isLacking; left -= 1) {
    // A run that doubts no block ends before this request, because it requests only chain ids, heads and the
    // checkpoint.
    chain.soon({
      requests: sims.length + (confirmations === 0 ? 3 : 4),
      act() {
        isLacking = true
        for (const node of sims) Object.assign(node, { mood: 'lagging', lag: chain.blocks.length })
      },
    })
    await startIndexer(world, network, { follow: false }).ended
  }
  chain.soon(undefined)
  for (const node of sims) node.mood = 'honest'
}

/**
 * Two indexers find the lease free. The first pauses, and tries to claim the lease only when the second is already
 * writing.
 */
export async function claimTogether({ world, network, random }: Acting): Promise<void> {
  if (!network.isIndexed) return
  const { table, gate } = world
  await indexNow(world, network)
  for (let left = 5; left > 0; left -= 1) network.chain.mine(5)
  const first = startIndexer(world, network, { follow: false })
  const second = startIndexer(world, network, { follow: false })
  // An indexer reads the list for the table's networks, for the state, and then for the lease that it claims.
  let reads = 0
  table.onRead = ({ actor, list }) => {
    if (actor !== first.actor || list !== CHECKPOINTS_LIST) return
    reads += 1
    if (reads < 3) return
    table.onRead = undefined
    gate.pause(actor, 20 + random.below(300))
  }
  await Promise.all([first.ended, second.ended])
  table.onRead = undefined
}

/** Lets an indexer store many final blocks so slowly that it moves its checkpoint before it has stored them all. */
export async function backfillSlowly({ world }: Acting): Promise<void> {
  const network = someIndexed(world)
  if (!network) return
  const { table, gate } = world
  const { onWrite } = table
  await indexNow(world, network)
  for (let left = 5; left > 0; left -= 1) network.chain.mine(8)
  finalizeMore(network)
  const writer = startIndexer(world, network, { follow: false })
  table.onWrite = write => {
    onWrite?.(write)
    if (write.actor === writer.actor) gate.jump(400)
  }
  await writer.ended
  table.onWrite = onWrite
}

/** Makes each node behave like two nodes that disagree about a reorganisation. */
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

/**
 * Moves a checkpoint back, usually below a block that has been audited. Calls `before` after indexing to the head. Does
 * nothing if the table is damaged, because an operator would repair it first.
 */
export async function goBack(
  { world, network, random }: Acting,
  { before, to }: { before?: () => Promise<void>; to?: number } = {},
): Promise<void> {
  if (!network.isIndexed || network.restarts || world.isTampered) return
  await indexNow(world, network)
  await before?.()
  const { blockNumber, auditedBlock = blockNumber } = world.table.checkpoints().get(network.network) ?? {}
  if (blockNumber === undefined || auditedBlock === undefined) return
  network.wentBack += 1
  const backTo = to ?? random.pick([blockNumber, auditedBlock, auditedBlock]) - random.below(5)
  await startIndexer(world, network, { follow: false, backTo }).ended
}
