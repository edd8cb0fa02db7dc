import type { EventKind } from '../../lib/events/event-kinds.ts'
import { CHAINS, NETWORKS, type Network } from '../../lib/events/networks.ts'
import { createRandom, type Random } from '../support/records/random.ts'
import { type FaultRates, NO_FAULTS } from './gate/gate.ts'
import type { Action, Life, NetworkPlan, ReaderPlan, ReaderScope, Theme } from './life.ts'
import { CONTRACTS, USERS } from './outside/log-pool.ts'
import type { Mood } from './outside/sim-node.ts'
import { PARTS } from './parts.ts'
import type { Part } from './world.ts'

const MOODS: readonly Mood[] = [
  ...(['honest', 'honest', 'honest', 'gone', 'busy', 'lagging', 'forked'] as const),
  ...(['forgetful', 'lying', 'hanging', 'hasty', 'balanced', 'patchy'] as const),
]

const ACTS = Object.assign({}, ...PARTS.map(({ acts }) => acts)) as NonNullable<Part['acts']>
const ENDINGS = PARTS.flatMap(({ endings = {} }) => Object.entries(endings))
const READERS = PARTS.flatMap(({ readers = {} }) => Object.entries(readers))

/** Some lives have no particular theme. */
const THEMES: readonly Theme[] = [{}, {}, {}, ...PARTS.flatMap(({ themes = [] }) => themes)]

for (const { weights = {}, endings = {} } of THEMES)
  for (const name of [...Object.keys(weights), ...Object.keys(endings)])
    if (!(name in ACTS) && !ENDINGS.some(([known]) => known === name))
      throw new Error(`A theme names ${name}, which no part of the world knows`)

/** The same seed always gives the same life. */
export function drawLife(seed: number): Life {
  const random = createRandom(seed * 2_654_435_761 + 1)
  const theme = random.pick(THEMES)
  const networks = drawNetworks(random, random.pick(theme.networks ?? [1, 1, 1, 1, 1, 2, 2, 3]))
  const plans = networks.map((network, index) => ({
    ...planNetwork(network, { random, isFirst: index === 0 }),
    ...theme.plan,
  }))
  // In only a few lives, indexers wait for final blocks, because most rare faults need blocks that leave the chain
  // after an indexer has stored them.
  const isFinalOnly = createRandom(seed * 40_503 + 2).chance(0.07)
  if (isFinalOnly) for (const plan of plans) plan.confirmations = 'finalized'
  const { hasRivals = false, isLong = false, moods = MOODS } = theme
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
    moods,
    startsDishonest: moods !== MOODS,
    keptDays: isLong ? random.pick([1, 1, 30]) : 30,
    endings: ENDINGS.map(([name, { chance }]) => ({ name, chance: theme.endings?.[name] ?? chance }))
      .filter(({ chance }) => random.chance(chance))
      .map(({ name }) => name),
  }
}

const NEAR: readonly Network[] = ['bnb-chain', 'polygon']

/** Prefers chains whose final blocks are close to the head, because a life has few blocks. */
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
    hasBlockReceipts: random.chance(0.5),
    widestRange: random.pick([3, 20, 1000]),
  })
  // A node is not believed if it calls blocks final too early for its chain. A network with such nodes has no final
  // blocks.
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
  const bag = READERS.flatMap(reader => Array.from({ length: reader[1].weight }, () => reader))
  return Array.from({ length: random.pick([1, 1, 2, 2, 3, 4]) }, (_, index) => {
    const [kind, { draw }] = random.pick(bag)
    return { kind, name: `${kind}-${index}`, scope: drawScope(random, networks), ...draw?.(random) }
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
  const bag = Object.entries(ACTS).flatMap(([kind, { weight }]) => {
    const isLeftOut = !(kind in ofTheme) && !NEVER_LEFT_OUT.has(kind) && random.chance(0.3)
    return isLeftOut ? [] : Array.from({ length: ofTheme[kind] ?? weight }, () => kind)
  })
  const isLong = random.chance(0.03)
  const length = isLong ? 14 + random.below(14) : 4 + random.below(6)
  const gap = () => random.pick([0, 0, random.below(10), random.below(40), random.below(hasRivals ? 90 : 40)])
  return Array.from({ length }, (_, index) => ({
    // Without a writer and a reader, nothing could happen to the table and its readers.
    kind: index < 2 ? (['start writers', 'start readers'] as const)[index as 0] : random.pick(bag),
    chance: random.below(2 ** 31),
    // In most lives, something is indexed and read before anything else happens.
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
