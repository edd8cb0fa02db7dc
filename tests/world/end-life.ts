import { openCopy } from '../../lib/callers/copies/open-copy.ts'
import { createEventsClient } from '../../lib/client/create-events-client.ts'
import { CHAINS } from '../../lib/events/networks.ts'
import type { EventRecord } from '../../lib/events/record.ts'
import { verifyTable } from '../../lib/ingest/verify/verify-table.ts'
import { CorruptRowError } from '../../lib/query/errors.ts'
import { MIN_CALL_ROWS } from '../../lib/query/streams/row-price.ts'
import { itemsFor } from '../../lib/store/format/item.ts'
import { scanEvents } from '../../lib/store/reading/scan-table.ts'
import { recentBlocksList } from '../../lib/store/writing/recent-blocks.ts'
import { damageTable } from './actors/audit/damage-table.ts'
import { startAudit, startAuditFunction } from './actors/audit/start-audit.ts'
import { askAtRest } from './actors/callers/ask-at-rest.ts'
import { countReals } from './actors/copies/sim-sqlite.ts'
import { startIndexer, startIndexFunction } from './actors/indexers/start-indexer.ts'
import { loadSome, startLoad } from './actors/loads/start-load.ts'
import { startReader } from './actors/readers/start-reader.ts'
import { NO_FAULTS } from './gate/gate.ts'
import { judge, type ReadCopy } from './laws.ts'
import { CONTRACTS, USERS } from './outside/log-pool.ts'
import { SERVICE_URL } from './outside/sim-service.ts'
import {
  breach,
  DAY_MS,
  isRunning,
  type Job,
  type ReaderRemains,
  type SimNetwork,
  type World,
} from './world.ts'

/** A network may have no final block to audit. */
const HEALTHY_ENDS = ['done', 'stopped', 'NothingToAuditError']

/**
 * Ends a life: from now on nothing fails, every program ends, every network is indexed to its head, every reader reads
 * to the end. Then the laws judge what is left.
 */
export async function endLife(world: World): Promise<void> {
  const { gate, networks, life } = world
  gate.note('» from now on nothing fails')
  gate.faults = NO_FAULTS
  world.ambush = undefined
  world.table.onRead = undefined
  world.isEnding = true
  for (const { chain } of networks.values()) chain.soon(undefined)
  Object.assign(world.table.lag, { indexMs: 0, readMs: 0, unprocessed: 0, slowReads: 0 })
  for (const { sims } of networks.values()) for (const node of sims) node.mood = 'honest'
  for (const { receiver } of world.readers.values()) receiver.isDown = false
  await endAll(world)
  if (life.ending.restartsInVain) for (const network of networks.values()) await restartInVain(world, network)
  const off = new Set(
    life.ending.leavesIndexersOff ? [...networks.values()].filter(each => isResting(world, each)) : [],
  )
  for (const network of networks.values()) {
    network.chain.finalize(network.finalDistance)
    if (network.isIndexed && !off.has(network)) await indexToHead(world, network)
    if (off.has(network) && !life.isDamaged) await loadAbove(world, network)
  }
  const hasDeadLoads = [...networks.values()].some(({ unfinishedLoads }) => unfinishedLoads.size > 0)
  // The feed shows nothing of a network above its checkpoint until a repair that died is made again.
  const hasDeadRepairs = [...networks.values()].some(({ hasUnfinishedRepair }) => hasUnfinishedRepair)
  if (!life.isDamaged && !hasDeadRepairs && (off.size > 0 || hasDeadLoads)) await judgeCopies(world)
  for (const network of networks.values()) {
    for (const file of [...network.unfinishedLoads]) await finish(world, startLoad(world, network, file))
    // A repair must take nothing from readers that have read everything before it.
    if (life.isDamaged) {
      if (network.isIndexed && world.random.chance(0.5))
        await world.gate.until(startAuditFunction(world, network).ended)
      damageTable(world, network, world.random)
      for (const remains of world.readers.values()) await readToEnd(world, remains)
    }
    if (life.isDamaged || network.hasUnfinishedRepair)
      await finish(world, startAudit(world, network, { repair: true, lists: 'scan' }))
  }
  if (life.isDamaged && off.size > 0) {
    // A repair that has removed events of blocks that left the chain leaves the blocks after them to an indexer.
    for (const network of off)
      await (isResting(world, network) ? loadAbove(world, network) : indexToHead(world, network))
    await judgeCopies(world)
  }
  for (const network of off) await indexToHead(world, network)
  await endWalks(world)
  if (life.ending.meetsClosedReceivers) await meetReceiversThatAreDown(world)
  if (life.ending.wakesOften) await wakeWhileTheLogExpires(world)
  if (life.ending.sleeps) await sleepWhileTheLogExpires(world)
  for (const remains of world.readers.values()) await readToEnd(world, remains)
  // The service may answer with checkpoints of some seconds ago.
  await passTime(world, 60_000)
  await gate.until(readToNewest(world))
  const copies = [...world.readers.values()].map(copyOf)
  const rest = {
    world,
    stored: await gate.until(storedEvents(world)),
    copies: await gate.until(Promise.all(copies)),
    problems: await gate.until(problemsOf(world)),
    idle: life.ending.readsIdly ? await gate.until(readIdly(world)) : [],
    chunkLists: world.table
      .items()
      .map(({ l }) => String(l?.S))
      .filter(list => list.startsWith('chunks#')),
    walks: await gate.until(askAtRest(world)),
  }
  judge(world, law => law.atRest?.(rest))
}

/** Whether the network's last indexer has ended, and has left no work to another. */
function isResting({ table, life }: World, { network, isIndexed, restarts }: SimNetwork): boolean {
  const { blockNumber = -1, leased = false, atRest = true } = table.checkpoints().get(network) ?? {}
  if (!isIndexed || restarts || leased) return false
  const isBelow = (block: { blockNumber?: { N?: string } }) => Number(block.blockNumber?.N) <= blockNumber
  // What is damaged must be audited, which needs a checkpoint.
  if (blockNumber < 0) return !life.isDamaged
  return atRest && table.partition(recentBlocksList(network)).every(isBelow)
}

/** The chain goes on, and what has become final is loaded, although no indexer runs. */
async function loadAbove(world: World, network: SimNetwork): Promise<void> {
  for (let left = 4; left > 0; left -= 1) network.chain.mine(2)
  network.chain.finalize(network.finalDistance)
  // What a load leaves out, an indexer stores later, below events that readers have read.
  await finish(world, loadSome(world, network, { share: world.random.pick([0.5, 1]) }))
}

/** Lets every reader read to the end when the last announcement of dead loads is long ago, and judges the copies. */
async function judgeCopies(world: World): Promise<void> {
  await passTime(world, DEAD_LOADS_MS)
  for (const remains of world.readers.values()) await readToEnd(world, remains)
  const { table, gate } = world
  const keys = new Set(table.items().map(({ l, p }) => `${l?.S} ${p?.S}`))
  const stored = await gate.until(storedEvents(world))
  const whole = stored.filter(record => {
    const { chunks, entries } = itemsFor(table.networks)(record)
    return [...chunks, ...entries].every(({ l, p }) => keys.has(`${l} ${p}`))
  })
  const copies = await gate.until(Promise.all([...world.readers.values()].map(copyOf)))
  judge(world, law => law.whileOff?.({ world, stored, whole, copies }))
}

/** A load is surely dead after ten minutes without an announcement, if the clocks differ by less than some minutes. */
const DEAD_LOADS_MS = 900_000

async function endAll({ gate, jobs }: World): Promise<void> {
  const others = jobs.filter(({ kind }) => kind !== 'caller')
  for (const job of others) if (isRunning(job)) job.stop.abort(new Error('Stopped'))
  await gate.until(Promise.all(others.map(({ ended }) => ended)))
}

/** Lets every walk come to its end, because the index has caught up with what its first page knew. */
async function endWalks({ gate, jobs }: World): Promise<void> {
  const callers = jobs.filter(({ kind }) => kind === 'caller')
  await gate.until(Promise.all(callers.map(({ ended }) => ended)), MOST_STEPS_OF_WALKS)
}

const MOST_STEPS_OF_WALKS = 20_000

/** Restarts a network while its nodes disappear, so that its writer ends before its first checkpoint. */
async function restartInVain(world: World, network: SimNetwork): Promise<void> {
  if (!network.isIndexed || network.restarts) return
  network.restarts = true
  network.chain.soon({
    requests: network.sims.length + 2,
    act() {
      for (const node of network.sims) node.mood = 'gone'
    },
  })
  await world.gate.until(startIndexer(world, network, { follow: false }).ended)
  for (const node of network.sims) node.mood = 'honest'
  network.chain.soon(undefined)
}

async function finish(world: World, job: Job): Promise<Job> {
  await world.gate.until(job.ended)
  if (!HEALTHY_ENDS.includes(job.end ?? ''))
    breach(
      world,
      'Nothing ends because of one answer of one neighbour.',
      `${job.name}: ${(job.error as Error)?.stack}`,
    )
  return job
}

async function indexToHead(world: World, network: SimNetwork): Promise<void> {
  if (network.isByFunction && !network.restarts && (await indexByFunction(world, network))) return
  const job = startIndexer(world, network, { follow: false })
  await world.gate.until(job.ended)
  if (job.end === 'done') return
  // A run that was killed while it restarted may or may not have changed the scope.
  if (job.end === 'ScopeChangedError') network.restarts = true
  await finish(world, startIndexer(world, network, { follow: false }))
}

/** Invokes the scheduled indexer until it no longer takes another indexer for alive. Returns whether it has indexed. */
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
  breach(
    world,
    'No writer waits for good for one that has died.',
    `${network.network} was busy in ${MOST_BUSY_INVOCATIONS} invocations`,
  )
  return false
}

/** An invocation watches for 45 seconds, and the longest lease has 120 seconds. */
const MOST_BUSY_INVOCATIONS = 5

async function readToEnd(world: World, remains: ReaderRemains): Promise<void> {
  if (remains.ended !== undefined) return
  // A batch whose last attempt has failed waits for its pause, which a run with `once` doesn't.
  for (let tries = 0; tries < 3; tries += 1) {
    remains.isUpToDate = false
    const job = startReader(world, remains, { once: true })
    await world.gate.until(job.ended)
    if (job.end !== 'done' && remains.plan.kind !== 'publisher') await finish(world, job)
    if (remains.plan.kind !== 'publisher' || remains.isUpToDate) return
    await passTime(world, 400_000)
  }
}

/** Lets every reader run once while no receiver accepts anything. */
async function meetReceiversThatAreDown(world: World): Promise<void> {
  const setDown = (isDown: boolean) => {
    for (const { receiver } of world.readers.values()) receiver.isDown = isDown
  }
  setDown(true)
  for (const remains of world.readers.values())
    if (remains.plan.kind === 'publisher' && remains.ended === undefined)
      await world.gate.until(startReader(world, remains, { once: true }).ended)
  setDown(false)
}

/** Lets readers sleep while reorganisations are repaired and their entries in the log expire. */
async function sleepWhileTheLogExpires(world: World): Promise<void> {
  const { gate, life, networks, table } = world
  const indexed = [...networks.values()].filter(({ isIndexed }) => isIndexed)
  for (const network of indexed) {
    for (let left = 3; left > 0; left -= 1) network.chain.mine(3)
    await indexToHead(world, network)
  }
  for (const remains of world.readers.values()) await readToEnd(world, remains)
  for (const network of indexed)
    for (let left = 2; left > 0; left -= 1)
      if (network.chain.reorganise(3) > 0) await indexToHead(world, network)
  gate.jump((life.keptDays + 1) * DAY_MS)
  table.letExpire()
}

/** Lets readers read again and again while entries of the log expire, and nothing becomes final. */
async function wakeWhileTheLogExpires(world: World): Promise<void> {
  const { gate, life, networks, table, random } = world
  const indexed = [...networks.values()].filter(({ isIndexed }) => isIndexed)
  if (indexed.length === 0) return
  const network = random.pick(indexed)
  for (let times = 4; times > 0; times -= 1) {
    for (let left = 2; left > 0; left -= 1) network.chain.mine(1)
    await indexToHead(world, network)
    if (network.chain.reorganise(2) > 0) await indexToHead(world, network)
    for (const remains of world.readers.values()) await readToEnd(world, remains)
    gate.jump(0.4 * life.keptDays * DAY_MS)
    table.letExpire()
  }
}

/** Lets time pass in which nothing else happens. */
async function passTime({ gate }: World, ms: number): Promise<void> {
  await gate.until(new Promise<void>(resolve => gate.startTimer(ms, resolve)))
}

async function storedEvents({ table, networks }: World): Promise<EventRecord[]> {
  const stored: EventRecord[] = []
  const where = { client: table.client('indexing'), tableName: table.tableName, networks: table.networks }
  for (const network of networks.keys())
    for await (const event of scanEvents(where, network)) {
      if (event instanceof CorruptRowError) throw event
      stored.push(event)
    }
  return stored
}

async function problemsOf({ table }: World): Promise<string[]> {
  const problems: string[] = []
  await verifyTable({
    client: table.client('indexing'),
    tableName: table.tableName,
    networks: table.networks,
    onProblem: problem => problems.push(JSON.stringify(problem)),
  })
  return problems
}

async function copyOf({ plan, copy, receiver, ended }: ReaderRemains): Promise<ReadCopy> {
  const { name, scope } = plan
  const base = { name, scope, finalized: false, isWhole: true, ended, complaints: receiver.complaints }
  if (plan.kind === 'careless') return { ...base, records: copy.records }
  if (plan.kind === 'publisher')
    return { ...base, records: receiver.copy, finalized: plan.finalized, isWhole: plan.from === 'beginning' }
  // Read before the copy is opened, which mends what an earlier version stored.
  const reals = countReals(`${name}`)
  const opened = await openCopy(`sqlite:${name}`, { source: SERVICE_URL })
  const records = await opened.records()
  const balances = await opened.read('SELECT network, address, token_id, owner, quantity FROM balances')
  return {
    ...base,
    records: new Map(records.map(record => [record.id, record as unknown as EventRecord])),
    derived: {
      found: [
        `${reals} quantities are no integers`,
        ...sorted(balances.map(row => Object.values(row).join(' '))),
      ],
      expected: ['0 quantities are no integers', ...balancesOf(records as never)],
    },
  }
}

const sorted = (lines: readonly string[]) => lines.map(line => line.replace(/ 0+(?=\d+$)/, ' ')).toSorted()

/** Who has how much of each token, by the transfers alone. */
function balancesOf(records: readonly EventRecord[]): string[] {
  const sums = new Map<string, bigint>()
  const add = (key: string, quantity: bigint) => sums.set(key, (sums.get(key) ?? 0n) + quantity)
  for (const record of records) {
    if (record.event !== 'TransferSingle' && record.event !== 'TransferBatch') continue
    const { network, address, from, to, tokenIds, quantities } = record
    for (const [index, id] of tokenIds.entries()) {
      add(`${network} ${address} ${id} ${from}`, -BigInt(quantities[index] ?? 0))
      add(`${network} ${address} ${id} ${to}`, BigInt(quantities[index] ?? 0))
    }
  }
  return [...sums]
    .filter(([key, sum]) => sum !== 0n && !/ 0x0{40}$/.test(key))
    .map(([key, sum]) => `${key} ${sum}`)
    .toSorted()
}

/**
 * Reads a list whose first read ends exactly at the network's newest event, although the reader wants more, because some
 * events before do not match.
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

/** Reads once more with each scope, and counts what the service reads for the empty answer. */
async function readIdly({ life, table, gate, random }: World) {
  const client = createEventsClient(SERVICE_URL)
  const idle = []
  for (const { scope } of life.readers.length > 0 ? [random.pick(life.readers)] : []) {
    let page = await client.changePage({ ...scope, from: 'beginning', limit: 500 })
    while (!page.isUpToDate) page = await client.changePage({ ...scope, cursor: page.next, limit: 500 })
    const before = { examined: table.examined, calls: gate.calls }
    await client.changePage({ ...scope, cursor: page.next, limit: 100 })
    idle.push({ scope, examined: table.examined - before.examined, calls: gate.calls - before.calls })
  }
  return idle
}
