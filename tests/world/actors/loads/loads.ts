import { CHAINS } from '../../../../lib/events/networks.ts'
import type { SimNode } from '../../outside/sim-node.ts'
import { dieAtWrite } from '../../start-job.ts'
import { type Acting, act, type Part, type SimNetwork } from '../../world.ts'
import { FEW_BLOCKS, finalizeMore } from '../chains/chains.ts'
import { goBack } from '../indexers/indexer-stories.ts'
import { startSomeIndexer } from '../indexers/start-indexer.ts'
import { readNow, startReaders } from '../readers/start-readers.ts'
import { loadSome } from './start-load.ts'

export const LOADS: Part = {
  acts: {
    load: act(2, ({ world, network, random }) => {
      for (const each of random.chance(0.3) ? world.networks.values() : [network]) {
        const { actor } = loadSome(world, each, { share: random.pick([0.1, 0.5, 1]) })
        if (random.chance(0.3)) world.ambush ??= { actor, writes: 3 + random.below(10) }
      }
    }),
    'load what has just become final': act(2, loadWhatIsFinal),
    'load in parts': act(2, loadInParts),
  },
  themes: [{ weights: { load: 10, 'kill a job': 5, 'start readers': 6 } }],
}

/**
 * Makes new blocks final right after a reorganisation, and loads them while indexers may still have the orphans. An
 * indexer of only some contracts, which would not store all of the load's events again, then goes back while a node is
 * still on the orphaned chain.
 */
async function loadWhatIsFinal(acting: Acting): Promise<void> {
  const { world, network, random } = acting
  const { chain, finalDistance, contracts } = network
  const [node] = network.sims as [SimNode]
  const goesBack = network.isIndexed && contracts !== 'any' && finalDistance <= FEW_BLOCKS
  if (goesBack) node.mood = 'forked'
  const head = chain.head().number
  const wasReplaced = chain.reorganise(1 + random.below(3)) > 0
  for (let left = finalDistance; left > 0; left -= 1) chain.mine(random.below(2))
  // If final blocks were closer to the head, no node would be believed.
  const least = Math.min(CHAINS[network.network].finalAfter, finalDistance)
  if (!network.isFinalityStalled) chain.finalize(least + random.below(2))
  if (wasReplaced && network.isIndexed) startSomeIndexer(world, network, random)
  const load = loadSome(world, network, { share: 1 })
  if (!goesBack) return
  await load.ended
  world.gate.startTimer(20_000, () => {
    node.mood = 'honest'
  })
  // Goes back to a number at which all nodes have the same block.
  await goBack(acting, { to: head - 3 - random.below(4) })
}

/** A load dies after readers have read some of its blocks' events. The readers then read on, and notice its death. */
async function loadInParts({ world, random }: Acting): Promise<void> {
  const { networks, gate } = world
  const isMostlyLoaded = ({ isIndexed, contracts, finalDistance }: SimNetwork) =>
    (!isIndexed || contracts !== 'any') && finalDistance < FEW_BLOCKS
  const candidates = [...networks.values()].filter(isMostlyLoaded)
  if (candidates.length === 0) return
  const network = random.pick(candidates)
  finalizeMore(network)
  await loadSome(world, network, { share: 0.3 }).ended
  await readNow(world)
  const load = loadSome(world, network, { share: 1 })
  await dieAtWrite(world, load, { writes: 3 + random.below(6) })
  startReaders(world, { once: false })
  await new Promise<void>(resolve => gate.startTimer(15_000, resolve))
}
