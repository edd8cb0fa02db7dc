import type { ProofLevel } from '../../../lib/chain/nodes/read-proven-logs.ts'
import { startChain, type TestChain } from '../../support/chain/chain.ts'
import { liveFrom } from '../../support/chain/chain-life.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { type Interceptor, startFaultProxy } from '../../support/faults/fault-proxy.ts'
import { pass } from '../../support/faults/faults.ts'
import { endOf } from '../../support/faults/index-faults.ts'
import { lyingNode } from '../../support/faults/lying-node.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { createRandom, type Random } from '../../support/records/random.ts'
import { INDEX_RUN_COUNT, SEED } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'
import { readIndexedTable } from '../../support/store/indexed-table.ts'
import { itemsOfAll } from '../../support/store/stored-items.ts'

knowNodeErrors()
const engine = useEngine()
const NETWORK = 'base'
const ROUNDS = 6
const STEPS_A_ROUND = 5

let chain: TestChain
beforeEach(async () => {
  chain = await startChain()
})
afterEach(() => chain.stop())

const seeds = Array.from({ length: INDEX_RUN_COUNT }, (_, index) => SEED + index)

/** A random life of a chain and its indexers. Each indexer has its own level of proof. */
interface Life {
  seed: number
  /** Whether the indexers name the chain's contracts, instead of indexing all contracts. */
  namesContracts?: boolean
  proofs: readonly ProofLevel[]
  /** The nodes in the order in which the indexer uses them. */
  makeNodes: (random: Random) => Interceptor[]
}

/**
 * Runs the life for all levels of proof. Resolves with the numbers of missing and of superfluous event items in each
 * table.
 */
async function live({ seed, proofs, makeNodes, namesContracts = false }: Life) {
  const random = createRandom(seed)
  const firstBlock = (await chain.head()) + 1
  await chain.mineEmpty(1)
  const life = liveFrom(chain, { random, firstBlock })
  const tables = await Promise.all(
    proofs.map(async proof => ({
      proof,
      ...target(await engine.createEventsTable(), firstBlock),
      ...(namesContracts && { contracts: [...chain.contracts] }),
    })),
  )
  for (let round = 0; round < ROUNDS; round++) {
    for (let step = 0; step < STEPS_A_ROUND; step++) await life.goOn()
    const nodeSeed = random.below(2 ** 31)
    for (const table of tables) {
      const nodes = makeNodes(createRandom(nodeSeed))
      const proxies = await Promise.all(nodes.map(node => startFaultProxy(chain.rpcUrl, node)))
      await indexChain({ ...table, rpcUrls: proxies.map(({ url }) => url) }).catch(endOf)
      await Promise.all(proxies.map(proxy => proxy.stop()))
    }
  }
  const truth = itemsOfAll(await chainEvents(chain, NETWORK, { fromBlock: firstBlock }))
  return Promise.all(
    tables.map(async table => {
      await indexChain({ ...table, rpcUrls: [chain.rpcUrl] })
      const { events } = await readIndexedTable(engine.client, table.tableName, NETWORK)
      const stored = new Set(events.map(item => JSON.stringify(item)))
      const missing = truth.filter(item => !stored.has(JSON.stringify(item))).length
      return { proof: table.proof, missing, extra: events.length - truth.length + missing }
    }),
  )
}

const target = (tableName: string, fromBlock: number) =>
  ({ endpoint: engine.endpoint, tableName, network: NETWORK, fromBlock }) as const

const exact = (proof: ProofLevel) => ({ proof, missing: 0, extra: 0 })

test.each(seeds)(
  'at the head no lie that a Bloom filter shows causes a gap where doubt is settled (seed %i)',
  async seed => {
    const makeNodes = (random: Random) => [
      lyingNode({
        random,
        rate: 0.4,
        isStubborn: random.chance(0.5),
        lies: 'against-bloom',
        knowsFinality: false,
      }),
      ...(random.chance(0.5) ? [pass] : []),
    ]
    const results = await live({ seed, proofs: ['doubt', 'all'], makeNodes })

    expect(results).toEqual([exact('doubt'), exact('all')])
  },
)

test.each(seeds)(
  'at the head no lie about the logs of named contracts causes a gap (seed %i)',
  async seed => {
    const makeNodes = (random: Random) =>
      Array.from({ length: 1 + random.below(2) }, () =>
        lyingNode({
          random,
          rate: 0.4,
          isStubborn: random.chance(0.5),
          lies: 'about-logs',
          knowsFinality: false,
        }),
      )
    const results = await live({ seed, proofs: ['doubt'], makeNodes, namesContracts: true })

    expect(results).toEqual([exact('doubt')])
  },
)

test.each(seeds)('no lie of nodes causes a gap where all logs are proven (seed %i)', async seed => {
  const makeNodes = (random: Random) =>
    Array.from({ length: 1 + random.below(2) }, () =>
      lyingNode({
        random,
        rate: random.pick([0.05, 0.3]),
        isStubborn: random.chance(0.5),
        lies: 'any',
        knowsFinality: random.chance(0.5),
      }),
    )
  const results = await live({ seed, proofs: ['all'], makeNodes })

  expect(results).toEqual([exact('all')])
})
