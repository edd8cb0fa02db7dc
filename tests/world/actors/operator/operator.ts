import { isRunning } from '../../start-job.ts'
import { watchWrites } from '../../watch-writes.ts'
import { type Acting, act, type Part, type World } from '../../world.ts'
import { startCaller } from '../callers/start-caller.ts'
import { finalizeMore, someIndexed } from '../chains/chains.ts'
import { indexToHead } from '../indexers/end-indexers.ts'
import { indexNow, startIndexer } from '../indexers/start-indexer.ts'
import { createReader, readToEnd } from '../readers/start-readers.ts'

export const OPERATOR: Part = {
  acts: {
    'take a copy': act(0, ({ world }) => takeCopy(world)),
    restore: act(0, ({ world }) => restoreTable(world)),
    'restore during a walk': act(2, restoreDuringWalk),
  },
  themes: [
    { weights: { 'take a copy': 6, restore: 4, call: 12, finalize: 10, mine: 12, 'start writers': 8 } },
  ],
  endings: { 'readers outlive a restore': { chance: 0.08, play: restoreBehindReaders } },
}

function takeCopy(world: World): void {
  world.copy = world.table.copy()
  for (const network of world.networks.values()) network.openAtCopy = new Set(network.unfinishedLoads)
}

/** Readers have read blocks that the restored table lacks, and that leave the chain before they are indexed again. */
async function restoreBehindReaders(world: World): Promise<void> {
  const indexed = [...world.networks.values()].filter(({ isIndexed }) => isIndexed)
  for (const network of indexed) await indexToHead(world, network)
  takeCopy(world)
  for (const network of indexed) {
    for (let left = 3; left > 0; left -= 1) network.chain.mine(3)
    await indexToHead(world, network)
  }
  await readToEnd(world)
  restoreTable(world)
  for (const network of indexed) {
    network.chain.reorganise(2)
    await indexToHead(world, network)
  }
}

/** The restore comes after a caller has received its first page of final events. */
async function restoreDuringWalk({ world, random }: Acting): Promise<void> {
  const network = someIndexed(world)
  if (!network) return
  await indexNow(world, network)
  takeCopy(world)
  finalizeMore(network)
  await indexNow(world, network)
  world.service.restart()
  const { promise: restored, resolve } = Promise.withResolvers<void>()
  const onFirstPage = () => {
    if (world.isEnding || !world.copy) return
    restoreTable(world)
    world.gate.startTimer(random.below(LONGEST_OUTAGE_MS), () => {
      if (!world.isEnding) startIndexer(world, network, { follow: true })
      resolve()
    })
  }
  await Promise.race([restored, startCaller({ world, network, random }, onFirstPage).ended])
}

/** The longest time between a restore and the start of the next indexer. */
const LONGEST_OUTAGE_MS = 4000

/**
 * Follows `infra/operating.md`: programs for the restored table replace all others, and every subscription starts from
 * the beginning, with a new name and an empty copy. Callers do not notice the restore, and continue their walks.
 */
function restoreTable(world: World): void {
  const { gate, jobs, table, service, networks, readers, parts, copy } = world
  if (!copy) return
  for (const job of jobs) if (isRunning(job) && job.kind !== 'caller') gate.kill(job.actor)
  table.restore(copy)
  watchWrites(world)
  service.restart()
  for (const network of networks.values()) {
    // Loaded events that the copy lacks are no longer expected, because the operator knows which files are missing.
    // Loads that were unfinished in the copy are repeated at the end.
    for (const [id, record] of network.loaded) if (!table.has(record)) network.loaded.delete(id)
    for (const file of network.openAtCopy) network.unfinishedLoads.add(file)
    // The restored checkpoint may have an earlier scope.
    network.restarts = true
    for (const { onRestore } of parts) onRestore?.(network)
  }
  for (const { plan } of [...readers.values()]) {
    if (BEGIN_AGAIN.has(plan.kind)) continue
    readers.delete(plan.name)
    createReader(world, { ...plan, name: `${plan.name}-again` })
  }
  world.restoredAt = gate.now()
}

/** These readers begin again by themselves when the feed refuses their cursors, which are of the former table. */
const BEGIN_AGAIN = new Set(['follower', 'careless'])
