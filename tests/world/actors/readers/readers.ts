import { CHECKPOINTS_LIST } from '../../../../lib/store/format/keys.ts'
import { type Acting, act, DAY_MS, type Job, type Part, type World } from '../../world.ts'
import { FEW_BLOCKS, finalizeMore } from '../chains/chains.ts'
import { indexToHead } from '../indexers/end-indexers.ts'
import { indexNow, startIndexer } from '../indexers/start-indexer.ts'
import { createCarelessReader, drawCareless } from './careless-reader.ts'
import { READER_LAWS, READS_IDLY } from './reader-laws.ts'
import { readNow, readToEnd, restingReaders } from './start-readers.ts'

export const READERS: Part = {
  acts: {
    'start readers': act(4, ({ world, random }) => {
      for (const reader of restingReaders(world))
        if (random.chance(0.8)) reader.start({ once: random.chance(0.2) })
    }),
    'let the log expire': act(0, ({ world, random }) => {
      world.gate.jump(world.life.keptDays * random.pick([0.3, 0.6, 0.6, 1.2, 3]) * DAY_MS)
      world.table.letExpire()
    }),
    'read while a writer begins': act(2, readWhileWriterBegins),
  },
  themes: [
    {
      isLong: true,
      weights: { 'let the log expire': 8, 'start readers': 8, reorganise: 8 },
      endings: { 'readers sleep': 0.4, 'readers wake often': 0.3 },
    },
    // Readers that read while a writer begins.
    {
      isEager: true,
      weights: {
        'start writers': 12,
        'stop a writer': 8,
        'start readers': 8,
        'read while a writer begins': 20,
        'load what has just become final': 5,
        mine: 12,
      },
      lag: { readMs: 3000, unprocessed: 0.3, slowReads: 0.3 },
    },
  ],
  endings: {
    'readers wake often': { chance: 0.03, play: wakeWhileTheLogExpires },
    'readers sleep': { chance: 0.08, play: sleepWhileTheLogExpires },
    [READS_IDLY]: { chance: 0.3 },
  },
  readers: { careless: { weight: 2, draw: drawCareless, create: createCarelessReader } },
  laws: READER_LAWS,
}

/**
 * The indexer starts after a reader has read that the network is at rest, but before this reader reads the events. The
 * indexer stores a later event before an earlier one.
 */
async function readWhileWriterBegins({ world, network, random }: Acting): Promise<void> {
  if (!network.isIndexed) return
  const { table, gate } = world
  const { lag, onWrite } = table
  await indexNow(world, network)
  await readNow(world)
  for (let left = 3 + random.below(3); left > 0; left -= 1) network.chain.mine(12)
  const before = { ...lag }
  Object.assign(lag, { unprocessed: 0.6 })
  let writer: Job | undefined
  table.onRead = ({ actor, list }) => {
    if (list !== CHECKPOINTS_LIST || writer) return
    writer = startIndexer(world, network, { follow: false })
    gate.pause(actor, 1000 + random.below(1000))
  }
  table.onWrite = write => {
    onWrite?.(write)
    if (write.actor !== writer?.actor || !write.keys.some(({ list }) => list.startsWith('all@'))) return
    table.onWrite = onWrite
    gate.pause(writer.actor, 3000)
  }
  await readNow(world)
  await writer?.ended
  table.onRead = undefined
  table.onWrite = onWrite
  Object.assign(lag, before)
}

/** While readers sleep, reorganisations are repaired, and the repairs' entries in the log expire. */
async function sleepWhileTheLogExpires(world: World): Promise<void> {
  const { gate, life, networks, table } = world
  const indexed = [...networks.values()].filter(({ isIndexed }) => isIndexed)
  for (const network of indexed) {
    for (let left = 3; left > 0; left -= 1) network.chain.mine(3)
    await indexToHead(world, network)
  }
  await readToEnd(world)
  for (const network of indexed)
    for (let left = 2; left > 0; left -= 1)
      if (network.chain.reorganise(3) > 0) await indexToHead(world, network)
  gate.jump((life.keptDays + 1) * DAY_MS)
  table.letExpire()
}

/** Readers read again and again while entries of the log expire and nothing becomes final. */
async function wakeWhileTheLogExpires(world: World): Promise<void> {
  const { gate, life, networks, table, random } = world
  const indexed = [...networks.values()].filter(({ isIndexed }) => isIndexed)
  if (indexed.length === 0) return
  const network = random.pick(indexed)
  // A reader of final events must first get an event, because only then does it have a place that can become too old.
  if (network.finalDistance <= FEW_BLOCKS) finalizeMore(network)
  await indexToHead(world, network)
  await readToEnd(world)
  for (let times = 4; times > 0; times -= 1) {
    // An entry expires only after the next entry, so readers miss an entry only if two are appended while they sleep.
    for (let entries = 2; entries > 0; entries -= 1) {
      for (let left = 2; left > 0; left -= 1) network.chain.mine(1)
      await indexToHead(world, network)
      if (network.chain.reorganise(2) > 0) await indexToHead(world, network)
      gate.jump(0.2 * life.keptDays * DAY_MS)
      table.letExpire()
    }
    await readToEnd(world)
  }
}
