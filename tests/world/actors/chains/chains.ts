import { CONTRACTS } from '../../outside/log-pool.ts'
import type { Mood, SimNode } from '../../outside/sim-node.ts'
import { type Acting, act, type Part, type SimNetwork, type World } from '../../world.ts'

export const CHAINS_AND_NODES: Part = {
  acts: {
    mine: act(10, ({ network: { chain }, random }) => {
      const count = 1 + random.below(5)
      for (let left = count; left > 0; left -= 1) chain.mine(3)
      // An indexer requests the heads and its checkpoint's block, and then finds that blocks have been replaced.
      if (!random.chance(0.4)) return
      const depth = count + random.below(4)
      chain.soon({ requests: random.pick([2, 3, 3, 4]), act: () => chain.reorganise(depth) })
    }),
    reorganise: act(5, ({ world, network, random }) => {
      // Entries that several networks append to the log at the same time must get different numbers.
      for (const { chain } of random.chance(0.3) ? world.networks.values() : [network])
        chain.reorganise(1 + random.below(6))
    }),
    finalize: act(5, ({ network }) => {
      if (!network.isFinalityStalled) network.chain.finalize(network.finalDistance)
    }),
    'stall finality': act(1, ({ network, random }) => {
      network.isFinalityStalled = random.chance(0.7)
    }),
    'change a node': act(4, ({ world, network, random }) => {
      // The first node matters most, because programs use it until it fails.
      const node = random.chance(0.5) ? (network.sims[0] as SimNode) : random.pick(network.sims)
      changeMood(node, { world, network, random })
      if (isUntrue(node.mood)) for (let left = 3; left > 0; left -= 1) network.chain.mine(3)
    }),
    'let time pass': act(2, ({ world, random }) =>
      world.gate.jump(random.pick([5000, 40_000, 200_000, 900_000])),
    ),
  },
  themes: [
    {
      weights: { 'change a node': 10, 'start writers': 8, mine: 14 },
      moods: ['honest', 'lying', 'lying', 'forgetful', 'forgetful', 'forked'],
      plan: { proof: 'doubt', contracts: 'any' },
    },
    {
      weights: { 'change a node': 10, 'start writers': 8, mine: 14 },
      moods: ['honest', 'forgetful', 'forgetful'],
      plan: { proof: 'doubt', contracts: CONTRACTS },
    },
    {
      weights: {
        'change a node': 8,
        'start writers': 8,
        mine: 14,
        reorganise: 14,
        'replace behind balancers': 40,
      },
      moods: ['honest', 'balanced', 'balanced', 'forked', 'hasty'],
    },
    {
      weights: { 'change a node': 10, 'start writers': 10, mine: 14, reorganise: 14 },
      moods: ['honest', 'patchy', 'patchy', 'forked'],
    },
    // Lives in which nodes are unavailable when an indexer begins.
    {
      weights: { load: 8, 'start writers': 8, 'start readers': 8 },
      moods: ['gone', 'hanging', 'busy', 'lagging'],
    },
  ],
}

const isUntrue = (mood: Mood) => mood === 'lying' || mood === 'forgetful'

export function changeMood(node: SimNode, { world, network, random }: Acting): void {
  const mood = random.pick(world.life.moods)
  // Without proof, the indexer believes a single node. With the level `doubt`, it believes two nodes that agree.
  const isOther = network.sims.some(other => other !== node && isUntrue(other.mood))
  const isBelieved = network.proof === 'none' || (network.proof === 'doubt' && isOther)
  node.mood = isBelieved && isUntrue(mood) ? 'honest' : mood
  node.lag = 1 + random.below(8)
  // Sometimes, all nodes become unavailable while a program is working.
  if (mood === 'gone' && random.chance(0.4))
    network.chain.soon({
      requests: 1 + random.below(6),
      act() {
        for (const each of network.sims) each.mood = 'gone'
      },
    })
}

/** So few that mining them is quick. */
export const FEW_BLOCKS = 20

/** An indexed network whose blocks become final within a few blocks. */
export const someIndexed = ({ networks }: World): SimNetwork | undefined =>
  [...networks.values()].find(({ isIndexed, finalDistance }) => isIndexed && finalDistance <= FEW_BLOCKS)

/** The number of newest blocks that an indexer does not store yet. */
export const unindexedBlocks = ({ confirmations, finalDistance }: SimNetwork): number =>
  confirmations === 'finalized' ? finalDistance : confirmations

export function finalizeMore({ chain, finalDistance }: SimNetwork): void {
  for (let left = finalDistance + 3; left > 0; left -= 1) chain.mine(3)
  chain.finalize(finalDistance)
}
