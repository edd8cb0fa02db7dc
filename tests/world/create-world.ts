import { createRandom, type Random } from '../support/records/random.ts'
import { createReader } from './actors/readers/start-readers.ts'
import { createGate, type Gate } from './gate/gate.ts'
import type { Life, NetworkPlan } from './life.ts'
import { createSimChain } from './outside/sim-chain.ts'
import { createSimNode } from './outside/sim-node.ts'
import { createSimService } from './outside/sim-service.ts'
import { createSimTable } from './outside/sim-table.ts'
import { breach, type Part, type SimNetwork, type World } from './world.ts'

export function createWorld(life: Life, parts: readonly Part[]): World {
  const gate = createGate(life.seed)
  const random = createRandom(life.seed ^ 0x5bd1e995)
  const networks = new Map(life.plans.map(plan => [plan.network, createNetwork(plan, { gate, random })]))
  const table = createSimTable({ gate, networks: life.tableNetworks, lag: { ...life.lag } })
  // Time passes, so that no stale read sees the table as it was before its networks were recorded.
  gate.jump(60_000)
  gate.faults = life.faults
  const world: World = {
    life,
    parts,
    gate,
    random,
    networks,
    table,
    service: createSimService({ gate, table, onFailure: error => onFailure(error) }),
    hosts: new Map(),
    jobs: [],
    holders: new Map(),
    removedChunks: new Set(),
    announced: new Set(),
    readers: new Map(),
    ambush: undefined,
    isEnding: false,
    isTampered: false,
    copy: undefined,
    restoredAt: Number.NEGATIVE_INFINITY,
    breaches: [],
    tally: new Map(),
  }
  const onFailure = (error: unknown) =>
    breach(world, 'The service fails only where its table fails.', String((error as Error)?.stack))
  for (const plan of life.readers) createReader(world, plan)
  return world
}

function createNetwork(plan: NetworkPlan, { gate, random }: { gate: Gate; random: Random }): SimNetwork {
  const chain = createSimChain(plan.network, { random, startMs: gate.now(), ...plan })
  const sims = plan.nodes.map((traits, index) => {
    const node = createSimNode(`node-${index}.${plan.network}`, { chain, gate, random, traits })
    // At the proof level `doubt`, the headers of older blocks are believed.
    if (plan.proof === 'all') node.lies = 'any'
    else if (plan.proof === 'doubt' && plan.contracts !== 'any') node.lies = 'about-logs'
    return node
  })
  return {
    ...plan,
    chain,
    sims,
    fromBlock: chain.first + plan.fromOffset,
    restarts: false,
    isNarrower: false,
    isFinalityStalled: false,
    wentBack: 0,
    loaded: new Map(),
    unfinishedLoads: new Set(),
    openAtCopy: new Set(),
  }
}
