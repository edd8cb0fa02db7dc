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
  /** What the life's actions can make it do, by name. */
  acts?: Record<string, Act>
  /** The themes that it offers to lives. */
  themes?: readonly Theme[]
  /** What some lives try when they end, by name. */
  endings?: Record<string, Ending>
  /** Its kinds of feed readers, by name. */
  readers?: Record<string, ReaderKind>
  laws?: readonly Law[]
  /** Called when a life ends, so that nothing fails from then on. */
  calm?: (world: World) => void
  /** Called after the indexers have finished. Completes the work that the part's programs left unfinished. */
  finish?: (world: World) => Promise<void>
  /** Forgets what is no longer true after an operator has restored an earlier state of the table. */
  onRestore?: (network: SimNetwork) => void
}

interface Act {
  /** How often the act is drawn, relative to other acts, in lives whose theme does not name it. */
  weight: number
  /** Performs the act. If the act has several steps, the promise resolves after the last step. */
  act: (acting: Acting) => void | Promise<void>
}

export interface Acting {
  world: World
  network: SimNetwork
  random: Random
}

interface Ending {
  /** The probability of the ending in lives whose theme does not name it. */
  chance: number
  /** Called when every program has finished. Without it, the part itself must check whether the life has the ending. */
  play?: (world: World) => Promise<void>
}

interface ReaderKind {
  weight: number
  /** Draws the properties of such a reader's plan other than its scope. */
  draw?: (random: Random) => object
  create: (world: World, plan: ReaderPlan) => Reader
}

/** A reader of the feed, with everything that outlives its processes. */
export interface Reader {
  plan: ReaderPlan
  /** Why the reader has ended and will not be started again. Undefined if it has not. */
  ended: string | undefined
  /** The start of the last read that reached the feed's end. Entries of the log can expire during the read. */
  readAt: number
  /** Starts a process that continues where the previous process ended. With `once`, it ends when it is up to date. */
  start: (options: { once: boolean }) => Job
  /** Reads to the end when nothing fails. Only needed if a single process with `once` may not be enough. */
  readToEnd?: () => Promise<void>
  hold: () => Promise<Held>
}

/** The events that a reader holds. */
interface Held {
  records: ReadonlyMap<string, EventRecord>
  /** Whether the reader receives only final events, and keeps events that are removed. */
  finalized?: boolean
  /** Whether the reader began after the table's first events, so that those are not expected. */
  isPart?: boolean
}

/** The events held by a reader that has not ended for good. */
export type ReadCopy = Held & { plan: ReaderPlan }

/** One of the rules by which the world is judged. Each function returns a description of each violation. */
export interface Law {
  sentence: string
  atRest?: (rest: Rest) => string[] | Promise<string[]>
  whileOff?: (pause: Pause) => string[]
  atWrite?: (write: Write) => string[]
  atEnd?: (world: World, job: Job) => string[]
}

/** What a law sees after all writes have ended and every reader has read to the end. */
export interface Rest {
  world: World
  /** The events in the table's list `all`. */
  stored: readonly EventRecord[]
  copies: readonly ReadCopy[]
}

/** What a law sees while an indexer is off or a load has died. */
interface Pause extends Rest {
  /** The stored events that have all of their items. */
  whole: readonly EventRecord[]
}

/** A write that just took effect. */
interface Write {
  world: World
  job: Job | undefined
  network: SimNetwork
  /** The checkpoint's item before and after the write. Both are equal if the write did not change it. */
  before: CheckpointItem | undefined
  after: CheckpointItem | undefined
  /** Whether the write changed the network's events or remembered blocks. */
  isOfEvents: boolean
  /** The event that the write removed. */
  removed: EventRecord | undefined
  /** The process that holds the network's lease. */
  holder: string | undefined
  has: (record: EventRecord) => boolean
  /** Whether all items of the event are stored. */
  hasWhole: (record: EventRecord) => boolean
}

/** A program that runs in the world, such as one run of an indexer. */
export interface Job {
  kind: string
  name: string
  actor: Actor
  /** The errors with which it may end, because no single reply causes them. Undefined if any is allowed. */
  mayEndWith: readonly string[] | undefined
  /** Whether it may write events only while it holds the network's lease. */
  needsLease: boolean
  /** Asks the program to end, like SIGTERM. */
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
  /** Whether the next run of the indexer restarts the indexing, because the scope has changed. */
  restarts: boolean
  isFinalityStalled: boolean
  /** How many times an operator has moved the checkpoint back. */
  wentBack: number
  /** The events that loads have stored or may have stored, by id. */
  loaded: Map<string, EventRecord>
  /** The files of loads that have not completed. */
  unfinishedLoads: Set<string>
  /** The unfinished loads when the operator took the newest copy. */
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
  /** The handlers of requests sent with `http.request`, by URL. */
  hosts: Map<string, (options: never) => unknown>
  jobs: Job[]
  readers: Map<string, Reader>
  /** A writer that is due to die at one of its next writes, and what happens then. */
  ambush: Ambush | undefined
  /** Whether the life is ending, so that nothing new begins. */
  isEnding: boolean
  /** Whether something other than the service's programs changed stored events. */
  isTampered: boolean
  /** The operator's newest copy of the table. */
  copy: TableCopy | undefined
  /** The violations of laws so far. */
  breaches: Breach[]
  /** How many times each counted thing has happened, by name. */
  tally: Map<string, number>
}

interface Ambush {
  actor: Actor
  /** The number of writes after which the writer dies. */
  writes: number
  /** If set, writes count only from the first write into this list. */
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

/** Asks each law for violations, and records them. */
export function judge(world: World, ask: (law: Law) => string[] | undefined): void {
  for (const { laws = [] } of world.parts)
    for (const law of laws) for (const detail of ask(law) ?? []) breach(world, law.sentence, detail)
}

export function breach({ breaches, gate }: World, law: string, detail: string): void {
  gate.note(`‼ ${law} ${detail}`)
  breaches.push({ law, detail })
}

/** Lets this much time pass, together with everything that happens in it. */
export async function passTime({ gate }: World, ms: number): Promise<void> {
  await gate.until(new Promise<void>(resolve => gate.startTimer(ms, resolve)))
}
