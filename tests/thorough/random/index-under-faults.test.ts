import { startChain, type TestChain } from '../../support/chain/chain.ts'
import { liveFrom } from '../../support/chain/chain-life.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { indexUnderFaults } from '../../support/faults/index-under-faults.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { createRandom } from '../../support/records/random.ts'
import { INDEX_RUN_COUNT, SEED } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'
import { readIndexedTable } from '../../support/store/indexed-table.ts'
import { itemsOfAll } from '../../support/store/stored-items.ts'

knowNodeErrors()
const engine = useEngine()
const NETWORK = 'polygon'

/**
 * Each life of a chain has its own node. So the seed alone determines the life, and no chain gets so long that its node
 * loses old states.
 */
let chain: TestChain
beforeEach(async () => {
  chain = await startChain()
})
afterEach(() => chain.stop())

const seeds = Array.from({ length: INDEX_RUN_COUNT }, (_, index) => SEED + index)

test.each(seeds)(
  'the table ends as the chain, whatever fails and however often the indexer is killed (seed %i)',
  async seed => {
    const random = createRandom(seed)
    const tableName = await engine.createEventsTable()
    const firstBlock = (await chain.head()) + 1
    // Mines the block `firstBlock`, because indexing must start at an existing block.
    await chain.mineEmpty(1)
    const life = liveFrom(chain, { random, firstBlock })

    for (let round = 0; round < 3 + random.below(4); round++) {
      for (let step = 0; step < random.below(4); step++) await life.goOn()
      const followed = { ...target(tableName, firstBlock), follow: true }
      const end = await indexUnderFaults({ random, chain, target: followed, meanwhile: life.goOn })
      expect(end).not.toBe('ScopeChangedError')
    }
    await life.goOn()
    await indexChain({ ...target(tableName, firstBlock), rpcUrls: [chain.rpcUrl] })

    const head = await chain.head()
    const { events, checkpoint, recentBlocks } = await readIndexedTable(engine.client, tableName, NETWORK)
    expect(events).toEqual(itemsOfAll(await chainEvents(chain, NETWORK, { fromBlock: firstBlock })))
    expect(checkpoint).toMatchObject({ blockNumber: head, leased: false })
    expect(recentBlocks.map(({ blockHash }) => blockHash)).toEqual(
      await Promise.all(recentBlocks.map(({ blockNumber }) => hashOf(Number(blockNumber)))),
    )
  },
)

const target = (tableName: string, fromBlock: number) =>
  ({
    endpoint: engine.endpoint,
    tableName,
    network: NETWORK,
    fromBlock,
  }) as const

async function hashOf(blockNumber: number): Promise<unknown> {
  const block = await chain.request('eth_getBlockByNumber', [`0x${blockNumber.toString(16)}`, false])
  return (block as { hash: string } | null)?.hash
}
