import type { EventKind } from '../../lib/events/event-kinds.ts'
import { CHAINS, NETWORKS, type Network } from '../../lib/events/networks.ts'
import { createRandom, type Random } from '../support/records/random.ts'
import { type FaultRates, NO_FAULTS } from './gate/gate.ts'
import { CONTRACTS, USERS } from './outside/log-pool.ts'
import type { Mood, NodeTraits } from './outside/sim-node.ts'
import type { TableLag } from './outside/sim-table.ts'

/** What a reader of the feed asks for. */
export interface ReaderScope {
  network?: Network[]
  event?: EventKind[]
  address?: string[]
  user?: string
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

export type ReaderPlan =
  | { kind: 'follower'; name: string; scope: ReaderScope }
  | { kind: 'careless'; name: string; scope: ReaderScope }
  | {
      kind: 'publisher'
      name: string
      scope: ReaderScope
      finalized: boolean
      from: 'beginning' | 'now'
      /** Whether the receiver is a bus of EventBridge, and not a webhook. */
      isBus: boolean
      /** Whether the publisher reads the table itself and keeps its state there, as the function does. */
      isFunction: boolean
    }

/** Something that the conductor does between two calls. `chance` is its own source of chance. */
export interface Action {
  kind: ActionKind
  chance: number
  /** How many calls pass before it. */
  after: number
}

const ACTION_WEIGHTS = {
  mine: 10,
  reorganise: 5,
  finalize: 5,
  'stall finality': 1,
  'start writers': 5,
  'kill a job': 3,
  'stop a writer': 2,
  'restart wider': 1,
  'restart the same': 1,
  'go back': 2,
  load: 2,
  audit: 3,
  'audit and repair': 2,
  'audit as the function does': 2,
  'start readers': 4,
  call: 4,
  'change a node': 4,
  'change a receiver': 2,
  'load what has just become final': 2,
  'new instances': 1,
  'let time pass': 2,
  'reorganise between requests': 2,
  'reorganise all': 2,
  'divide nodes': 1,
  'restore during a walk': 1,
  'load in parts': 2,
  'read while a writer begins': 1,
  'damage beside an audit': 0,
  damage: 0,
  'freeze a writer': 0,
  'crash and reorganise': 0,
  'let the log expire': 0,
  'take a copy': 0,
  restore: 0,
} as const

export type ActionKind = keyof typeof ACTION_WEIGHTS

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
  /** Whether indexed and loaded tables are damaged between actions. Then audits must repair them. */
  isDamaged: boolean
  /** The moods of nodes that change. */
  moods: readonly Mood[]
  /** Whether the first node of each network has one of these moods from the beginning. */
  startsDishonest: boolean
  /** How many days the log of revisions is kept. */
  keptDays: number
  ending: Ending
}

/** What is tried at the end of a life, besides what each life must show. */
interface Ending {
  /** Whether publishers run once while no receiver accepts anything. */
  meetsClosedReceivers: boolean
  /** Whether readers sleep for longer than the log is kept. */
  sleeps: boolean
  /** Whether readers wake up often, while nothing becomes final and the log expires behind them. */
  wakesOften: boolean
  /** Whether indexers that have ended stay off at first, while loads store events above their checkpoints. */
  leavesIndexersOff: boolean
  /** Whether networks restart at the end while their nodes disappear. */
  restartsInVain: boolean
  /** Whether a reader that is up to date asks once more, and what it costs. */
  readsIdly: boolean
  /** How many questions are asked of the table at rest. */
  questions: number
}

/**
 * What a life is about. A life about everything meets each combination of two rare things almost never, so most lives
 * have a theme, and each life leaves out some of the actions.
 */
interface Theme {
  weights?: Partial<Record<ActionKind, number>>
  hasRivals?: boolean
  isDamaged?: boolean
  isLong?: boolean
  isEager?: boolean
  moods?: readonly Mood[]
  lag?: Partial<TableLag>
  faults?: Partial<FaultRates>
  plan?: Partial<NetworkPlan>
}

const MOODS: readonly Mood[] = [
  ...(['honest', 'honest', 'honest', 'gone', 'busy', 'lagging', 'forked'] as const),
  ...(['forgetful', 'lying', 'hanging', 'hasty', 'balanced'] as const),
]

const THEMES: readonly Theme[] = [
  {},
  {},
  {},
  // Writers that take over from each other.
  { hasRivals: true, weights: { 'start writers': 10, 'freeze a writer': 8 }, faults: { paused: 0.03 } },
  {
    hasRivals: true,
    weights: { 'start writers': 12, 'stop a writer': 8, 'restart the same': 4, mine: 14 },
    faults: { late: 0.15, lost: 0.05, paused: 0.02 },
    plan: { isByFunction: true },
  },
  // Audits, and what makes them wrong.
  {
    weights: {
      'audit as the function does': 6,
      audit: 8,
      'restart the same': 3,
      'restart wider': 3,
      'go back': 5,
      'load what has just become final': 5,
    },
  },
  {
    isDamaged: true,
    weights: {
      damage: 3,
      'damage beside an audit': 8,
      'audit and repair': 2,
      'audit as the function does': 4,
      audit: 3,
    },
  },
  { isDamaged: true, weights: { damage: 8, 'audit and repair': 6, 'start readers': 6 } },
  // Readers that sleep.
  { isLong: true, weights: { 'let the log expire': 8, 'start readers': 8, reorganise: 8 } },
  { weights: { 'take a copy': 6, restore: 4, call: 12, finalize: 10, mine: 12, 'start writers': 8 } },
  // Callers of an index that lags.
  { weights: { call: 20, 'start writers': 8 }, lag: { indexMs: 400_000 } },
  { weights: { call: 20, 'start writers': 8, mine: 14, 'new instances': 4 }, lag: { readMs: 3000 } },
  // Nodes that are not honest.
  {
    weights: { 'change a node': 10, 'start writers': 8, mine: 14 },
    moods: ['honest', 'lying', 'lying', 'forgetful', 'forgetful', 'forked'],
    plan: { proof: 'doubt', contracts: 'any' },
  },
  {
    weights: { 'change a node': 10, 'start writers': 8, 'audit as the function does': 5, mine: 12 },
    moods: ['honest', 'lying', 'lying', 'forgetful', 'hasty'],
  },
  {
    weights: { 'change a node': 8, 'start writers': 8, mine: 14, reorganise: 14 },
    moods: ['honest', 'balanced', 'balanced', 'forked', 'hasty'],
  },
  // Nodes that are not there when an indexer begins.
  {
    weights: { load: 8, 'start writers': 8, 'start readers': 8 },
    moods: ['gone', 'hanging', 'busy', 'lagging'],
  },
  // Crashes in the middle of writes.
  {
    weights: { 'kill a job': 4, 'start writers': 10, 'crash and reorganise': 10, mine: 12 },
    faults: { died: 0.02 },
  },
  { weights: { 'start writers': 8, 'crash and reorganise': 12, 'start readers': 8 }, isEager: true },
  { weights: { load: 10, 'kill a job': 5, 'start readers': 6 } },
  // Readers that read while a writer begins.
  {
    isEager: true,
    weights: {
      'start writers': 12,
      'stop a writer': 8,
      'start readers': 8,
      'load what has just become final': 5,
      mine: 12,
    },
    lag: { readMs: 3000, unprocessed: 0.3, slowReads: 0.3 },
  },
  { weights: { 'change a receiver': 8, 'start readers': 10, finalize: 8 } },
]

/** Draws the life of a seed. */
export function drawLife(seed: number): Life {
  const random = createRandom(seed * 2_654_435_761 + 1)
  const networks = drawNetworks(random, random.pick([1, 1, 1, 1, 1, 2, 2, 3]))
  const theme = random.pick(THEMES)
  const plans = networks.map((network, index) => ({
    ...planNetwork(network, { random, isFirst: index === 0 }),
    ...theme.plan,
  }))
  const { hasRivals = false, isDamaged = false, isLong = false, moods = MOODS } = theme
  const leavesIndexersOff = random.chance(isDamaged ? 0.5 : 0.25)
  return {
    seed,
    tableNetworks: random.chance(0.6) ? NETWORKS.filter(each => networks.includes(each)) : undefined,
    plans,
    readers: drawReaders(random, networks),
    actions: drawActions(random, theme),
    faults: { ...drawFaults(random), ...theme.faults },
    lag: {
      indexMs: random.pick([0, 0, 1500, 400_000]),
      readMs: random.pick([0, 1000]),
      unprocessed: random.pick([0, 0, 0.2]),
      slowReads: 0,
      ...theme.lag,
    },
    hasRivals,
    isEager: random.chance(0.3) || theme.isEager === true,
    isDamaged,
    moods,
    startsDishonest: moods !== MOODS,
    keptDays: isLong ? random.pick([1, 1, 30]) : 30,
    ending: {
      meetsClosedReceivers: random.chance(0.3),
      sleeps: random.chance(isLong ? 0.4 : 0.08),
      wakesOften: random.chance(isLong ? 0.3 : 0.03),
      leavesIndexersOff,
      restartsInVain: leavesIndexersOff && !isDamaged && random.chance(0.3),
      readsIdly: random.chance(0.3),
      questions: random.pick([0, 0, 2, 4]),
    },
  }
}

const NEAR: readonly Network[] = ['bnb-chain', 'polygon']

/** Chains whose final blocks are near the head come more often, because a life has few blocks. */
function drawNetworks(random: Random, count: number): Network[] {
  const bag: Network[] = [...NETWORKS, ...NEAR, ...NEAR, ...NEAR, 'ethereum']
  const drawn = new Set<Network>()
  while (drawn.size < count) drawn.add(random.pick(bag))
  return [...drawn]
}

function planNetwork(
  network: Network,
  { random, isFirst }: { random: Random; isFirst: boolean },
): NetworkPlan {
  const node = () => ({
    knowsFinality: true,
    hasBlockReceipts: random.chance(0.8),
    widestRange: random.pick([3, 20, 1000]),
  })
  // A node that calls blocks final earlier than its chain can is not believed, so then nothing is final in a life.
  const isBelieved = CHAINS[network].finalAfter < 50 || random.chance(0.3)
  const finalDistance = (isBelieved ? CHAINS[network].finalAfter : 1) + 1 + random.below(8)
  return {
    network,
    finalDistance,
    firstBlocks: random.chance(0.2) ? 4 : finalDistance + 4 + random.below(16),
    leaseMs: random.pick([30_000, 30_000, 120_000]),
    isByFunction: random.chance(0.25),
    isIndexed: isFirst ? random.chance(0.9) : random.chance(0.6),
    contracts: random.pick(['any', 'any', CONTRACTS.slice(0, 1), CONTRACTS.slice(0, 2)]),
    fromOffset: 1 + random.below(3),
    confirmations: random.pick([0, 0, 1, 3]),
    proof: random.pick(['none', 'doubt', 'doubt', 'all']),
    nodes: Array.from({ length: random.pick([1, 2, 2, 3]) }, node),
  }
}

function drawReaders(random: Random, networks: readonly Network[]): ReaderPlan[] {
  const kinds = ['follower', 'careless', 'careless', 'publisher', 'publisher'] as const
  return Array.from({ length: random.pick([1, 1, 2, 2, 3, 4]) }, (_, index): ReaderPlan => {
    const kind = random.pick(kinds)
    const base = { name: `${kind} ${index}`, scope: drawScope(random, networks) }
    if (kind !== 'publisher') return { kind, ...base }
    return {
      kind,
      ...base,
      name: `publisher-${index}`,
      finalized: random.chance(0.4),
      from: random.chance(0.8) ? 'beginning' : 'now',
      isFunction: random.chance(0.5),
      isBus: random.chance(0.2),
    }
  })
}

function drawScope(random: Random, networks: readonly Network[]): ReaderScope {
  if (random.chance(0.3)) return {}
  return {
    ...(random.chance(0.3) && { network: [random.pick(networks)] }),
    ...(random.chance(0.3) && {
      event: random.pick<EventKind[]>([
        ['Minted'],
        ['TransferBatch', 'TransferSingle'],
        ['MintedBatch', 'Minted'],
      ]),
    }),
    ...(random.chance(0.4) && {
      address: random.chance(0.5) ? [CONTRACTS[0] as string] : CONTRACTS.slice(0, 2),
    }),
    ...(random.chance(0.4) && { user: random.pick(USERS) }),
  }
}

function drawActions(random: Random, { weights: ofTheme = {}, hasRivals = false }: Theme): Action[] {
  const isLeftOut = (kind: string) => !(kind in ofTheme) && !NEVER_LEFT_OUT.has(kind) && random.chance(0.3)
  const bag = Object.entries({ ...ACTION_WEIGHTS, ...ofTheme }).flatMap(([kind, weight]) =>
    isLeftOut(kind) ? [] : Array.from({ length: weight }, () => kind as ActionKind),
  )
  const isLong = random.chance(0.05)
  const length = isLong ? 14 + random.below(14) : 4 + random.below(7)
  const gap = () => random.pick([0, 0, random.below(10), random.below(40), random.below(hasRivals ? 90 : 40)])
  return Array.from({ length }, (_, index) => ({
    // Nothing happens to a table and its readers before somebody writes and reads.
    kind: index < 2 ? (['start writers', 'start readers'] as const)[index as 0] : random.pick(bag),
    chance: random.below(2 ** 31),
    // Mostly, something is indexed and read before anything else happens.
    after: index === 2 ? random.below(90) : gap(),
  }))
}

const NEVER_LEFT_OUT = new Set(['mine', 'start writers'])

function drawFaults(random: Random): FaultRates {
  if (random.chance(0.3)) return NO_FAULTS
  const rate = () => random.pick([0, 0.005, 0.02, 0.08])
  return {
    refused: rate(),
    lost: rate(),
    late: rate(),
    died: random.pick([0, 0.005, 0.02]),
    paused: random.pick([0, 0, 0.005]),
  }
}
