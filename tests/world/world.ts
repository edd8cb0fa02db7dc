import type { Network } from '../../lib/events/networks.ts'
import type { EventRecord } from '../../lib/events/record.ts'
import type { Finality } from '../support/oracle/oracle.ts'
import type { Random } from '../support/records/random.ts'
import type { MemoryTable } from './dynamo/memory-table.ts'
import type { Actor, Gate } from './gate/gate.ts'
import type { Life, NetworkPlan, ReaderPlan, Theme } from './life.ts'
import type { SimChain } from './outside/sim-chain.ts'
import type { SimNode } from './outside/sim-node.ts'
import type { SimService } from './outside/sim-service.ts'
import type { CheckpointItem, SimTable } from './outside/sim-table.ts'

/** What one kind of actor brings into the world. */
export interface Part {
  acts?: Record<string, Act>
  themes?: readonly Theme[]
  endings?: Record<string, Ending>
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
  /** If the act has several steps, the promise resolves after the last step. */
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
  /** Called when every program has finished. Without `play`, the part must check whether the life has the ending. */
  play?: (world: World) => Promise<void>
}

interface ReaderKind {
  weight: number
  draw?: (random: Random) => object
  create: (world: World, plan: ReaderPlan) => Reader
}

/** Everything about a reader that outlives its processes. */
export interface Reader {
  plan: ReaderPlan
  /** The reason why the reader will not be started again. Undefined while it can be started. */
  ended: string | undefined
  /** The time at which the last read to the feed's end began, because entries of the log can expire during a read. */
  readAt: number
  /** Continues where the previous process ended. With `once`, the process ends when it is up to date. */
  start: (options: { once: boolean }) => Job
  /**
   * Called at the end, when no more faults are injected. Only needed if a single process with `once` might not be
   * enough.
   */
  readToEnd?: () => Promise<void>
  hold: () => Promise<Held>
}

interface Held {
  records: ReadonlyMap<string, EventRecord>
  /** If set, the reader receives only final events, and keeps them even if they are removed later. */
  finalized?: boolean
  /** If set, only events of later blocks are expected, because the reader began `from=now`. */
  since?: Finality | undefined
}

export type ReadCopy = Held & { plan: ReaderPlan }

/** Each function returns a description of each violation. */
export interface Law {
  sentence: string
  atRest?: (rest: Rest) => string[] | Promise<string[]>
  whileOff?: (pause: Pause) => string[]
  atWrite?: (write: Write) => string[]
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

interface Write {
  world: World
  job: Job | undefined
  network: SimNetwork
  /** `before` and `after` are equal if the write did not change the checkpoint. */
  before: CheckpointItem | undefined
  after: CheckpointItem | undefined
  /** Whether the write changed the network's events or remembered blocks. */
  isOfEvents: boolean
  removed: EventRecord | undefined
  holder: string | undefined
}

/** A program, such as one run of an indexer. */
export interface Job {
  kind: string
  name: string
  actor: Actor
  /** The errors with which the program may end. No single reply causes them. Undefined if any error is allowed. */
  mayEndWith: readonly string[] | undefined
  /** If set, the program may write events only while it holds the network's lease. */
  needsLease: boolean
  /** The last block that the audit of a repair compares. The repair moves the checkpoint back up over later blocks unread. */
  through?: number
  stop: AbortController
  /** `done`, `died`, or the name of the error. Undefined while the program runs. */
  end: string | undefined
  error?: unknown
  ended: Promise<void>
}

export interface SimNetwork extends NetworkPlan {
  chain: SimChain
  sims: SimNode[]
  fromBlock: number
  /** Whether the next run of the indexer restarts the indexing, because the scope has changed. */
  restarts: boolean
  /** Whether the scope has become narrower. Chunks may then stay if a killed run stored only part of their event. */
  isNarrower: boolean
  isFinalityStalled: boolean
  wentBack: number
  /** Events that loads have stored or may have stored, by id. */
  loaded: Map<string, EventRecord>
  unfinishedLoads: Set<string>
  /** The loads that were unfinished when the operator took the newest copy. */
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
  /** The handlers of `http.request`, by URL. */
  hosts: Map<string, (options: never) => unknown>
  jobs: Job[]
  /** For each network, the name of the last writer that has claimed its lease. */
  holders: Map<string, string>
  /** The lists of chunks of removed events, except lists that were written to later. A removal deletes these chunks. */
  removedChunks: Set<string>
  /** The ids and block hashes of all removals that the log has ever listed, including those in expired entries. */
  announced: Set<string>
  readers: Map<string, Reader>
  /** A writer that is due to die or freeze at one of its next writes. */
  ambush: Ambush | undefined
  /** If set, nothing new begins. */
  isEnding: boolean
  /** Whether something other than the service's programs changed stored events. */
  isTampered: boolean
  copy: MemoryTable | undefined
  restoredAt: number
  breaches: Breach[]
  tally: Map<string, number>
}

interface Ambush {
  actor: Actor
  /** The number of writes after which the writer dies or freezes. */
  writes: number
  /** If set, writes count only from the first write into this list. */
  after?: string | undefined
  onDeath?: () => void
  /** Called instead of killing the writer. */
  freeze?: () => void
}

export interface Breach {
  law: string
  detail: string
}

export const DAY_MS = 86_400_000

export const act = (weight: number, act: Act['act']): Act => ({ weight, act })

export function count({ tally }: World, what: string, times = 1): void {
  tally.set(what, (tally.get(what) ?? 0) + times)
}

export function judge(world: World, ask: (law: Law) => string[] | undefined): void {
  for (const { laws = [] } of world.parts)
    for (const law of laws) for (const detail of ask(law) ?? []) breach(world, law.sentence, detail)
}

export function breach({ breaches, gate }: World, law: string, detail: string): void {
  gate.note(`‼ ${law} ${detail}`)
  breaches.push({ law, detail })
}

export async function passTime({ gate }: World, ms: number): Promise<void> {
  await gate.until(new Promise<void>(resolve => gate.startTimer(ms, resolve)))
}
