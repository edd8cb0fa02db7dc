import type { AuditProgress } from '../../lib/audit/audit-progress.ts'
import type { Network } from '../../lib/events/networks.ts'
import type { EventRecord } from '../../lib/events/record.ts'
import { createRandom, type Random } from '../support/records/random.ts'
import { createSimReceiver, type SimReceiver } from './actors/publisher/sim-receiver.ts'
import type { TableCopy } from './dynamo/memory-table.ts'
import { type Actor, createGate, type Gate } from './gate/gate.ts'
import type { Life, NetworkPlan, ReaderPlan } from './life.ts'
import { createSimChain, type SimChain } from './outside/sim-chain.ts'
import { createSimNode, type SimNode } from './outside/sim-node.ts'
import { createSimService, type SimService } from './outside/sim-service.ts'
import { createSimTable, type SimTable } from './outside/sim-table.ts'

/** A program that runs in the world, such as one run of an indexer. */
export interface Job {
  kind: JobKind
  name: string
  actor: Actor
  /** Whether the program ends when it is up to date, and so at the first outage. */
  isOnce: boolean
  /** Asks the program to end, as SIGTERM does. */
  stop: AbortController
  /** How the program ended: `done`, `died`, or the name of its error. Undefined while it runs. */
  end: string | undefined
  error?: unknown
  /** Resolves when the program has ended. */
  ended: Promise<void>
}

export type JobKind =
  | 'indexer'
  | 'load'
  | 'audit'
  | 'repair'
  | 'audit function'
  | 'follower'
  | 'careless'
  | 'publisher'
  | 'caller'

/** Where `--state` keeps an audit. */
export interface AuditFile {
  progress: AuditProgress | undefined
}

/** A network with its chain and its nodes. */
export interface SimNetwork extends NetworkPlan {
  chain: SimChain
  sims: SimNode[]
  fromBlock: number
  /** Whether the next run of the indexer restarts, because its scope has changed. */
  restarts: boolean
  isFinalityStalled: boolean
  /** How often an operator has moved the checkpoint back. */
  wentBack: number
  /** Events that loads have stored or may have stored, by id. */
  loaded: Map<string, EventRecord>
  /** The files of loads that have not ended well. */
  unfinishedLoads: Set<string>
  /** Those of the moment of the operator's newest copy. */
  openAtCopy: ReadonlySet<string>
  /** Whether a repair has begun and has not ended well, so that another must finish its work. */
  hasUnfinishedRepair: boolean
  /** The blocks of events that were damaged while an audit ran, by id, as long as no audit has found the damage. */
  secrets: Map<string, number>
  /** The state files of audits that may be resumed. */
  auditFile: AuditFile
}

export interface World {
  life: Life
  gate: Gate
  random: Random
  networks: Map<Network, SimNetwork>
  table: SimTable
  service: SimService
  jobs: Job[]
  /** Called when a program has ended. */
  onEnd: (job: Job) => void
  /** What outlives the processes of each reader. */
  readers: Map<string, ReaderRemains>
  /** A writer that dies at one of its next writes, and what happens then. */
  ambush: Ambush | undefined
  /** Whether nothing new begins any more. */
  isEnding: boolean
  /** The operator's newest copy of the table. */
  copy: TableCopy | undefined
  /** The broken laws, as sentences. */
  breaches: Breach[]
  /** How often each thing has happened. */
  tally: Map<string, number>
}

interface Ambush {
  actor: Actor
  /** After how many writes the writer dies. */
  writes: number
  onDeath: () => void
}

export interface Breach {
  law: string
  detail: string
}

export function createWorld(life: Life, { tellsStory = false } = {}): World {
  const gate = createGate(life.seed, { tellsStory })
  const random = createRandom(life.seed ^ 0x5bd1e995)
  const networks = new Map(life.plans.map(plan => [plan.network, createNetwork(plan, { gate, random })]))
  const table = createSimTable({ gate, networks: life.tableNetworks, lag: { ...life.lag } })
  // A read that is behind must not see the table of before its networks were recorded.
  gate.jump(60_000)
  gate.faults = life.faults
  const world: World = {
    life,
    gate,
    random,
    networks,
    table,
    service: createSimService({ gate, table, onFailure: error => onFailure(error) }),
    jobs: [],
    onEnd: () => {},
    readers: new Map(life.readers.map(plan => [plan.name, createRemains(plan, gate)])),
    ambush: undefined,
    isEnding: false,
    copy: undefined,
    breaches: [],
    tally: new Map(),
  }
  const onFailure = (error: unknown) =>
    breach(world, 'The service fails only where its table fails.', String((error as Error)?.stack))
  return world
}

/** A consumer's own copy, which outlives the consumer's processes. */
interface PlainCopy {
  records: Map<string, EventRecord>
  cursor: string | undefined
}

/** What a reader keeps outside of its process. */
export interface ReaderRemains {
  plan: ReaderPlan
  copy: PlainCopy
  /** The file in which `npm run publish` keeps its state. */
  file: Map<string, string>
  receiver: SimReceiver
  ended: string | undefined
  /** When the last read began that reached the feed's end. The log may expire while the read is under way. */
  readAt: number
  /** Whether a publisher's last run has delivered everything. */
  isUpToDate: boolean
}

export const createRemains = (plan: ReaderPlan, gate: Gate): ReaderRemains => ({
  plan,
  copy: { records: new Map(), cursor: undefined },
  file: new Map(),
  receiver: createSimReceiver(`${plan.name.replace(' ', '-')}.receiver`, { gate }),
  ended: undefined,
  readAt: gate.now(),
  isUpToDate: false,
})

function createNetwork(plan: NetworkPlan, { gate, random }: { gate: Gate; random: Random }): SimNetwork {
  const chain = createSimChain(plan.network, { random, startMs: gate.now(), ...plan })
  const sims = plan.nodes.map((traits, index) => {
    const node = createSimNode(`node-${index}.${plan.network}`, { chain, gate, random, traits })
    node.lies = plan.proof === 'all' ? 'any' : 'against-bloom'
    return node
  })
  return {
    ...plan,
    chain,
    sims,
    fromBlock: chain.first + plan.fromOffset,
    restarts: false,
    isFinalityStalled: false,
    wentBack: 0,
    loaded: new Map(),
    unfinishedLoads: new Set(),
    openAtCopy: new Set(),
    hasUnfinishedRepair: false,
    secrets: new Map(),
    auditFile: { progress: undefined },
  }
}

/** Notes that a reader's place in the feed is too old, which it may be only after a long sleep. */
export function expire(world: World, { plan, readAt }: ReaderRemains): void {
  count(world, 'places of readers that were too old')
  const sleptMs = world.gate.now() - readAt
  if (sleptMs < world.life.keptDays * DAY_MS - CLOCKS_DIFFER_MS)
    breach(world, SLEEPERS, `${plan.name} had read everything ${Math.floor(sleptMs / 1000)} s before`)
}

const SLEEPERS = 'A reader must begin anew only after it has slept for longer than the log is kept.'
export const DAY_MS = 86_400_000
/** A publisher stores its place once a minute, and clocks of processes differ by about a minute. */
const CLOCKS_DIFFER_MS = 300_000

/** Counts what has happened. */
export function count({ tally }: World, what: string, times = 1): void {
  tally.set(what, (tally.get(what) ?? 0) + times)
}

export function breach({ breaches, gate }: World, law: string, detail: string): void {
  gate.note(`‼ ${law} ${detail}`)
  breaches.push({ law, detail })
}

/** Starts a program as a process of its own. */
export function startJob(
  world: World,
  {
    kind,
    name,
    isOnce = false,
    work,
  }: { kind: JobKind; name: string; isOnce?: boolean; work: (job: Job) => Promise<unknown> },
): Job {
  const { gate, random, jobs } = world
  const actor = gate.actor(`${name} #${jobs.length + 1}`, { skewMs: random.pick([0, 0, 0, -40_000, 25_000]) })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const job: Job = { kind, name, actor, isOnce, stop: new AbortController(), end: undefined, ended }
  const conclude = (end: string, error?: unknown) => {
    if (job.end !== undefined) return
    job.end = end
    job.error = error
    world.onEnd(job)
    gate.note(`${actor.name} ends: ${end}`)
    count(world, `${kind}: ${end}`)
    resolve()
  }
  actor.onDeath.push(() => conclude('died'))
  jobs.push(job)
  gate.note(`${actor.name} starts`)
  gate
    .runAs(actor, async () => work(job))
    .then(
      () => conclude('done'),
      error => conclude(job.stop.signal.aborted ? 'stopped' : nameOf(error), error),
    )
  return job
}

export const isRunning = (job: Job) => job.end === undefined

/** The running programs of a kind, or the only one of a name. */
export const running = ({ jobs }: World, name: string): Job | undefined =>
  jobs.find(job => job.name === name && isRunning(job))

const nameOf = (error: unknown) => (error instanceof Error ? error.name : String(error))
