import type { Network } from '../../lib/events/networks.ts'
import type { EventRecord } from '../../lib/events/record.ts'
import type { Random } from '../support/records/random.ts'
import type { TableCopy } from './dynamo/memory-table.ts'
import type { Actor, Gate } from './gate/gate.ts'
import type { Life, NetworkPlan, ReaderPlan, Theme } from './life.ts'
import type { SimChain } from './outside/sim-chain.ts'
import type { SimNode } from './outside/sim-node.ts'
import type { SimService } from './outside/sim-service.ts'
import type { CheckpointItem, SimTable } from './outside/sim-table.ts'

/** What one kind of actor brings into the world. */
export interface Part {
  /** What the conductor can do with it, by name. */
  acts?: Record<string, Act>
  /** What lives can be about. */
  themes?: readonly Theme[]
  /** What some lives try at their end, by name. */
  endings?: Record<string, Ending>
  /** Its kinds of readers of the feed, by name. */
  readers?: Record<string, ReaderKind>
  laws?: readonly Law[]
  /** Lets nothing fail any more, when a life ends. */
  calm?: (world: World) => void
  /** Ends the work that its programs have left, when the indexers have ended theirs. */
  finish?: (world: World) => Promise<void>
  /** Forgets what is not true any more, because an operator has gone back to an earlier moment of the table. */
  onRestore?: (network: SimNetwork) => void
}

interface Act {
  /** How often the act is drawn in lives whose theme does not name it, compared with others. */
  weight: number
  /** What consists of several steps resolves after the last one. */
  act: (acting: Acting) => void | Promise<void>
}

export interface Acting {
  world: World
  network: SimNetwork
  random: Random
}

interface Ending {
  /** How likely it is in lives whose theme does not name it. */
  chance: number
  /** What is done when every program has ended its work. Otherwise, the part asks the life for the ending. */
  play?: (world: World) => Promise<void>
}

interface ReaderKind {
  weight: number
  /** Draws what the plan of such a reader has besides its scope. */
  draw?: (random: Random) => object
  create: (world: World, plan: ReaderPlan) => Reader
}

/** A reader of the feed, with all that outlives its processes. */
export interface Reader {
  plan: ReaderPlan
  /** Why the reader has ended for good. */
  ended: string | undefined
  /** When the last read began that reached the feed's end. The log may expire while the read is under way. */
  readAt: number
  /** Starts a process, which goes on where the last one ended. With `once`, it ends when it is up to date. */
  start: (options: { once: boolean }) => Job
  /** Reads to the end when nothing fails, if one process with `once` may not be enough. */
  readToEnd?: () => Promise<void>
  hold: () => Promise<Held>
}

/** What a reader holds. */
interface Held {
  records: ReadonlyMap<string, EventRecord>
  /** Whether the reader only gets final events, and keeps what is removed. */
  finalized?: boolean
  /** Whether the reader began after the table's first events, which then are not expected. */
  isPart?: boolean
}

/** What a reader holds that has not ended for good. */
export type ReadCopy = Held & { plan: ReaderPlan }

/** One of the rules by which the world is judged. Each function returns what breaks it, in words. */
export interface Law {
  sentence: string
  atRest?: (rest: Rest) => string[] | Promise<string[]>
  whileOff?: (pause: Pause) => string[]
  atWrite?: (write: Write) => string[]
  atEnd?: (world: World, job: Job) => string[]
}

/** What a law sees when nothing writes any more and every reader has read to the end. */
export interface Rest {
  world: World
  /** The events that `all` of the table contains. */
  stored: readonly EventRecord[]
  copies: readonly ReadCopy[]
}

/** What a law sees while an indexer is off, or a load has died. */
interface Pause extends Rest {
  /** The stored events of which no item is missing. */
  whole: readonly EventRecord[]
}

/** A write that has just taken effect. */
interface Write {
  world: World
  job: Job | undefined
  network: SimNetwork
  /** The checkpoint's item before and after. Equal if the write was another. */
  before: CheckpointItem | undefined
  after: CheckpointItem | undefined
  /** Whether the write changed events or remembered blocks of the network. */
  isOfEvents: boolean
  /** The event that the write has removed. */
  removed: EventRecord | undefined
  /** The process that holds the network's lease. */
  holder: string | undefined
  has: (record: EventRecord) => boolean
  /** Whether no item of the event is missing. */
  hasWhole: (record: EventRecord) => boolean
}

/** A program that runs in the world, such as one run of an indexer. */
export interface Job {
  kind: string
  name: string
  actor: Actor
  /** The errors with which it may end, because more than one answer of one neighbour stands behind them. */
  mayEndWith: readonly string[] | undefined
  /** Whether it writes events only as the holder of their network's lease. */
  needsLease: boolean
  /** Asks the program to end, as SIGTERM does. */
  stop: AbortController
  /** How the program ended: `done`, `died`, or the name of its error. Undefined while it runs. */
  end: string | undefined
  error?: unknown
  /** Resolves when the program has ended. */
  ended: Promise<void>
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
}

export interface World {
  life: Life
  parts: readonly Part[]
  gate: Gate
  random: Random
  networks: Map<Network, SimNetwork>
  table: SimTable
  service: SimService
  /** What `http.request` reaches, by URL. */
  hosts: Map<string, (options: never) => unknown>
  jobs: Job[]
  readers: Map<string, Reader>
  /** A writer that dies at one of its next writes, and what happens then. */
  ambush: Ambush | undefined
  /** Whether nothing new begins any more. */
  isEnding: boolean
  /** Whether stored events were changed by no program of the service. */
  isTampered: boolean
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
  /** Only writes after the first one into this list count. */
  after?: string | undefined
  onDeath: () => void
}

export interface Breach {
  law: string
  detail: string
}

export const DAY_MS = 86_400_000

export const act = (weight: number, act: Act['act']): Act => ({ weight, act })

/** Counts what has happened. */
export function count({ tally }: World, what: string, times = 1): void {
  tally.set(what, (tally.get(what) ?? 0) + times)
}

/** Asks each law, and notes what breaks it. */
export function judge(world: World, ask: (law: Law) => string[] | undefined): void {
  for (const { laws = [] } of world.parts)
    for (const law of laws) for (const detail of ask(law) ?? []) breach(world, law.sentence, detail)
}

export function breach({ breaches, gate }: World, law: string, detail: string): void {
  gate.note(`‼ ${law} ${detail}`)
  breaches.push({ law, detail })
}

/** Lets time pass in which nothing else happens. */
export async function passTime({ gate }: World, ms: number): Promise<void> {
  await gate.until(new Promise<void>(resolve => gate.startTimer(ms, resolve)))
}
