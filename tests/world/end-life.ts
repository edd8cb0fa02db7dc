import { createEventsClient } from '../../lib/client/create-events-client.ts'
import { CHAINS } from '../../lib/events/networks.ts'
import type { EventRecord } from '../../lib/events/record.ts'
import { CorruptRowError } from '../../lib/query/errors.ts'
import { MIN_CALL_ROWS } from '../../lib/query/streams/row-price.ts'
import { scanEvents } from '../../lib/store/reading/scan-table.ts'
import { unindexedBlocks } from './actors/chains/chains.ts'
import { rememberedBlocks } from './actors/indexers/chain-events.ts'
import { canStayOff, endIndexers, indexToHead } from './actors/indexers/end-indexers.ts'
import { loadSome, startLoad } from './actors/loads/start-load.ts'
import { readToEnd } from './actors/readers/start-readers.ts'
import { NO_FAULTS } from './gate/gate.ts'
import { CONTRACTS, USERS } from './outside/log-pool.ts'
import { SERVICE_URL } from './outside/sim-service.ts'
import { finish, isRunning } from './start-job.ts'
import { breach, judge, passTime, type ReadCopy, type SimNetwork, type World } from './world.ts'

/**
 * From now on, nothing fails, every program ends, every network is indexed to its head, and every reader reads to the
 * end. Then the laws judge the result.
 */
export async function endLife(world: World): Promise<void> {
  const { gate, life, parts } = world
  calm(world)
  await endAll(world)
  const off = await endIndexers(world)
  for (const { finish } of parts) await finish?.(world)
  await endLoads(world, off)
  for (const network of off) await indexToHead(world, network)
  await endWalks(world)
  for (const { endings = {} } of parts)
    for (const [name, { play }] of Object.entries(endings))
      if (life.endings.includes(name)) await play?.(world)
  for (const network of world.networks.values()) await indexRemembered(world, network)
  await readToEnd(world)
  // Time passes, because the service may answer with checkpoints that are some seconds old.
  await passTime(world, 60_000)
  await gate.until(readToNewest(world))
  const rest = { world, stored: await storedEvents(world), copies: await copiesOf(world) }
  for (const { laws = [] } of parts)
    for (const { sentence, atRest } of laws)
      for (const detail of await gate.until(Promise.resolve(atRest?.(rest) ?? [])))
        breach(world, sentence, detail)
}

/** Lets the chain grow, because readers otherwise never see remembered blocks above an indexer's checkpoint. */
async function indexRemembered(world: World, network: SimNetwork): Promise<void> {
  const { blockNumber = -1 } = world.table.checkpoints().get(network.network) ?? {}
  if (!network.isIndexed || rememberedBlocks(world, network).every(({ number }) => number <= blockNumber))
    return
  for (let left = unindexedBlocks(network); left > 0; left -= 1) network.chain.mine(1)
  network.chain.finalize(network.finalDistance)
  await indexToHead(world, network)
}

function calm(world: World): void {
  const { gate, table, networks, parts } = world
  gate.note('» from now on nothing fails')
  gate.faults = NO_FAULTS
  world.ambush = undefined
  world.isEnding = true
  table.onRead = undefined
  Object.assign(table.lag, { indexMs: 0, readMs: 0, unprocessed: 0, slowReads: 0 })
  for (const { chain, sims } of networks.values()) {
    chain.soon(undefined)
    for (const node of sims) node.mood = 'honest'
  }
  for (const { calm } of parts) calm?.(world)
}

async function endAll({ gate, jobs }: World): Promise<void> {
  const others = jobs.filter(({ kind }) => kind !== 'caller')
  for (const job of others) if (isRunning(job)) job.stop.abort(new Error('Stopped'))
  await gate.until(Promise.all(others.map(({ ended }) => ended)))
}

/** Waits until each walk has ended, which is possible now that the index has caught up with the walk's first page. */
async function endWalks({ gate, jobs }: World): Promise<void> {
  const callers = jobs.filter(({ kind }) => kind === 'caller')
  await gate.until(Promise.all(callers.map(({ ended }) => ended)), MOST_STEPS_OF_WALKS)
}

const MOST_STEPS_OF_WALKS = 20_000

/** Stores events above the checkpoints of indexers that are off, and completes every load. */
async function endLoads(world: World, off: ReadonlySet<SimNetwork>): Promise<void> {
  // An audit's repair may have removed the events of orphaned blocks, and may have left the new blocks to an indexer.
  for (const network of off)
    await (canStayOff(world, network) ? loadAbove(world, network) : indexToHead(world, network))
  const unfinished = [...world.networks.values()].flatMap(network =>
    [...network.unfinishedLoads].map(file => ({ network, file })),
  )
  if (off.size > 0 || unfinished.length > 0) {
    for (const network of world.networks.values())
      if (!off.has(network)) await indexRemembered(world, network)
    await judgeCopies(world)
  }
  for (const { network, file } of unfinished) await finish(world, startLoad(world, network, file))
}

async function loadAbove(world: World, network: SimNetwork): Promise<void> {
  for (let left = 4; left > 0; left -= 1) network.chain.mine(2)
  network.chain.finalize(network.finalDistance)
  // The load may omit some events, which an indexer later stores below events that readers have already read.
  await finish(world, loadSome(world, network, { share: world.random.pick([0.5, 1]) }))
}

/** Readers treat a load as dead after at most 12.5 silent minutes. The rest allows for clock differences. */
const DEAD_LOADS_MS = 900_000

/** Waits until readers treat dead loads as dead, and lets every reader read to the end. */
async function judgeCopies(world: World): Promise<void> {
  await passTime(world, DEAD_LOADS_MS)
  await readToEnd(world)
  const stored = await storedEvents(world)
  const whole = stored.filter(world.table.hasWhole)
  const copies = await copiesOf(world)
  judge(world, law => law.whileOff?.({ world, stored, whole, copies }))
}

/** Omits readers that have ended permanently. */
function copiesOf({ gate, readers }: World): Promise<ReadCopy[]> {
  const going = [...readers.values()].filter(({ ended }) => ended === undefined)
  return gate.until(Promise.all(going.map(async ({ plan, hold }) => ({ plan, ...(await hold()) }))))
}

function storedEvents({ gate, table, networks }: World): Promise<EventRecord[]> {
  const where = table.where('indexing')
  async function read() {
    const stored: EventRecord[] = []
    for (const network of networks.keys())
      for await (const event of scanEvents(where, network)) {
        if (event instanceof CorruptRowError) throw event
        stored.push(event)
      }
    return stored
  }
  return gate.until(read())
}

/**
 * Reads pages whose first call ends exactly at the network's newest event. These pages still have room, because some
 * earlier events do not match.
 */
async function readToNewest({ table, networks }: World): Promise<void> {
  for (const { network } of networks.values()) {
    const { code } = CHAINS[network]
    const newest = table.partition(`all@${code}`).at(-1)?.p?.S
    const isFit = (user: string) => {
      const items = table.partition(`u${user.slice(2)}@${code}`)
      return items.length === MIN_CALL_ROWS && items.at(-1)?.p?.S === newest
    }
    const user = USERS.find(isFit)
    const scope = { network: [network], user, address: CONTRACTS.slice(0, 1) }
    const options = { from: 'beginning', limit: 100 } as const
    if (user !== undefined) await createEventsClient(SERVICE_URL).changePage({ ...scope, user, ...options })
  }
}
