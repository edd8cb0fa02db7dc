import type { EventKind } from '../../lib/events/event-kinds.ts'
import type { Network } from '../../lib/events/networks.ts'
import type { FaultRates } from './gate/gate.ts'
import type { Mood, NodeTraits } from './outside/sim-node.ts'
import type { TableLag } from './outside/sim-table.ts'

/** Everything that determines a life, except for the choices of the gate. */
export interface Life {
  seed: number
  /** The networks of the table. Undefined for all networks. */
  tableNetworks: Network[] | undefined
  plans: NetworkPlan[]
  readers: ReaderPlan[]
  actions: Action[]
  faults: FaultRates
  lag: TableLag
  /** Whether operators often start an indexer although another is running. */
  hasRivals: boolean
  /** Whether readers poll every few milliseconds, so that they also read between two writes of an indexer. */
  isEager: boolean
  /** The moods that a node can change to. */
  moods: readonly Mood[]
  /** Whether at least the first node of each network takes one of these moods from the beginning. */
  startsDishonest: boolean
  /** The number of days for which entries of the log are kept. */
  keptDays: number
  /** What the life tries when it ends, in addition to what every life must show. */
  endings: readonly string[]
}

/** How one network is indexed. */
export interface NetworkPlan {
  network: Network
  /** Whether an indexer writes the network's events. Otherwise, loads do. */
  isIndexed: boolean
  contracts: 'any' | string[]
  /** The first indexed block, as an offset from the chain's first block. */
  fromOffset: number
  confirmations: number
  proof: 'none' | 'doubt' | 'all'
  nodes: NodeTraits[]
  /** The number of newest blocks that are not final. */
  finalDistance: number
  /** The number of blocks that the chain has at the beginning. */
  firstBlocks: number
  /** The duration of the command's lease, in milliseconds. After a writer dies, another writer waits this long. */
  leaseMs: number
  /** Whether the scheduled function does most of the indexing. Its invocations are shorter than some leases. */
  isByFunction: boolean
}

/** A reader of the feed. Some kinds of readers add properties. */
export interface ReaderPlan {
  kind: string
  name: string
  scope: ReaderScope
}

/** The filters with which a reader reads the feed. */
export interface ReaderScope {
  network?: Network[]
  event?: EventKind[]
  address?: string[]
  user?: string
}

/** An act that is performed between two calls. `chance` is the seed of its random choices. */
export interface Action {
  kind: string
  chance: number
  /** The number of calls that pass the gate before the action. */
  after: number
}

/**
 * What a life is about. A life that could contain everything would hardly ever combine two particular rare events, so
 * most lives have a theme, and each life leaves out some acts.
 */
export interface Theme {
  /** The weights of acts that are drawn more or less often than in other lives. */
  weights?: Record<string, number>
  /** The probabilities of endings that are more or less likely than in other lives. */
  endings?: Record<string, number>
  hasRivals?: boolean
  isLong?: boolean
  isEager?: boolean
  moods?: readonly Mood[]
  lag?: Partial<TableLag>
  faults?: Partial<FaultRates>
  plan?: Partial<NetworkPlan>
}
