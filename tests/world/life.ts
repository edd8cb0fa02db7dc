import type { EventKind } from '../../lib/events/event-kinds.ts'
import type { Network } from '../../lib/events/networks.ts'
import type { FaultRates } from './gate/gate.ts'
import type { Mood, NodeTraits } from './outside/sim-node.ts'
import type { TableLag } from './outside/sim-table.ts'

/** Everything that determines a life. The gate draws its choices from the seed. */
export interface Life {
  seed: number
  /** Undefined if the table has all networks. */
  tableNetworks: Network[] | undefined
  plans: NetworkPlan[]
  readers: ReaderPlan[]
  actions: Action[]
  faults: FaultRates
  lag: TableLag
  /** If set, operators often start an indexer although another indexer is running. */
  hasRivals: boolean
  /** If set, careless readers poll with only short pauses, so that they also read between two writes of an indexer. */
  isEager: boolean
  moods: readonly Mood[]
  /** If set, at least the first node of each network takes one of these moods from the beginning. */
  startsDishonest: boolean
  keptDays: number
  endings: readonly string[]
}

export interface NetworkPlan {
  network: Network
  /** If false, loads write the network's events. */
  isIndexed: boolean
  contracts: 'any' | string[]
  /** The first block to index, counted from the chain's first block. */
  fromOffset: number
  confirmations: number | 'finalized'
  proof: 'none' | 'doubt' | 'all'
  nodes: NodeTraits[]
  /** The number of newest blocks that are not final. */
  finalDistance: number
  firstBlocks: number
  /** The duration of the command's lease. After a writer dies, another writer waits this long. */
  leaseMs: number
  /** If set, the scheduled function does most of the indexing. Its invocations are shorter than some leases. */
  isByFunction: boolean
}

/** Some kinds of readers add properties. */
export interface ReaderPlan {
  kind: string
  name: string
  scope: ReaderScope
}

export interface ReaderScope {
  network?: Network[]
  event?: EventKind[]
  address?: string[]
  user?: string
}

/** An action is performed between two calls. `chance` is the seed of its random choices. */
export interface Action {
  kind: string
  chance: number
  /** The number of calls that pass the gate before the action. */
  after: number
}

/**
 * What a life is about. A life that could contain everything would hardly ever combine two particular rare events. Most
 * lives therefore have a theme, and each life omits some acts.
 */
export interface Theme {
  /** The weights of acts that are drawn more or less often than in other lives. */
  weights?: Record<string, number>
  /** The probabilities of endings that are more or less likely than in other lives. */
  endings?: Record<string, number>
  /** The possible numbers of networks in such a life. Each occurrence of a number makes it likelier. */
  networks?: readonly number[]
  hasRivals?: boolean
  isLong?: boolean
  isEager?: boolean
  moods?: readonly Mood[]
  lag?: Partial<TableLag>
  faults?: Partial<FaultRates>
  plan?: Partial<NetworkPlan>
}
