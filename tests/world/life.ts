import type { EventKind } from '../../lib/events/event-kinds.ts'
import type { Network } from '../../lib/events/networks.ts'
import type { FaultRates } from './gate/gate.ts'
import type { Mood, NodeTraits } from './outside/sim-node.ts'
import type { TableLag } from './outside/sim-table.ts'

/** Everything that a life consists of, apart from what the gate chooses. */
export interface Life {
  seed: number
  /** The networks of the table; undefined for all. */
  tableNetworks: Network[] | undefined
  plans: NetworkPlan[]
  readers: ReaderPlan[]
  actions: Action[]
  faults: FaultRates
  lag: TableLag
  /** Whether operators start an indexer although one is at work, and machines freeze for minutes. */
  hasRivals: boolean
  /** Whether readers ask again within milliseconds, and so between two writes of an indexer. */
  isEager: boolean
  /** The moods of nodes that change. */
  moods: readonly Mood[]
  /** Whether the first node of each network has one of these moods from the beginning. */
  startsDishonest: boolean
  /** How many days the log of revisions is kept. */
  keptDays: number
  /** What is tried at the end of a life, besides what each life must show. */
  endings: readonly string[]
}

/** How one network is indexed. */
export interface NetworkPlan {
  network: Network
  /** Whether an indexer writes the network. Otherwise its events are loaded. */
  isIndexed: boolean
  contracts: 'any' | string[]
  /** The first indexed block, counted from the chain's first. */
  fromOffset: number
  confirmations: number
  proof: 'none' | 'doubt' | 'all'
  nodes: NodeTraits[]
  /** How many blocks stay without finality. */
  finalDistance: number
  /** How many blocks the chain has in the beginning. */
  firstBlocks: number
  /** The lease of the command, in milliseconds. Another writer waits so long for one that has died. */
  leaseMs: number
  /** Whether mostly the scheduled function indexes, whose invocations are shorter than some leases. */
  isByFunction: boolean
}

/** A reader of the feed. Some kinds add what else they are told. */
export interface ReaderPlan {
  kind: string
  name: string
  scope: ReaderScope
}

/** What a reader of the feed asks for. */
export interface ReaderScope {
  network?: Network[]
  event?: EventKind[]
  address?: string[]
  user?: string
}

/** Something that the conductor does between two calls. `chance` is its own source of chance. */
export interface Action {
  kind: string
  chance: number
  /** How many calls pass before it. */
  after: number
}

/**
 * What a life is about. A life about everything meets each combination of two rare things almost never, so most lives
 * have a theme, and each life leaves out some of the actions.
 */
export interface Theme {
  /** How often acts are drawn, if not as often as in other lives. */
  weights?: Record<string, number>
  /** How likely endings are, if not as likely as in other lives. */
  endings?: Record<string, number>
  hasRivals?: boolean
  isLong?: boolean
  isEager?: boolean
  moods?: readonly Mood[]
  lag?: Partial<TableLag>
  faults?: Partial<FaultRates>
  plan?: Partial<NetworkPlan>
}
