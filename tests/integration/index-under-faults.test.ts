import { startChain, type TestChain } from '../support/chain/chain.ts'
import { liveFrom } from '../support/chain/chain-life.ts'
import { chainEvents } from '../support/chain/chain-truth.ts'
import { indexChain } from '../support/chain/index-chain.ts'
import { EXPECTED_ENDS, startNodeProxy, startTableProxy } from '../support/faults/index-faults.ts'
import { knowNodeErrors } from '../support/programs/know-node-errors.ts'
import { createRandom, type Random } from '../support/records/random.ts'
import { INDEX_RUN_COUNT, SEED } from '../support/runner/test-size.ts'
import { useEngine } from '../support/store/engine.ts'
import { readIndexedTable } from '../support/store/indexed-table.ts'
import { itemsOfAll } from '../support/store/stored-items.ts'

knowNodeErrors()
const engine = useEngine()
const NETWORK = 'polygon'
const MAX_WRITES_BEFORE_KILL = 80

let chain: TestChain
beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain.stop())

const seeds = Array.from({ length: INDEX_RUN_COUNT }, (_, index) => SEED + index)

test.each(seeds)(
  'the table ends as the chain, whatever fails and however often the indexer is killed (seed %i)',
  async seed => {
    const random = createRandom(seed)
    const tableName = await engine.createEventsTable()
    const firstBlock = (await chain.head()) + 1
    // A block that is not there yet is no place to begin.
    await chain.mineEmpty(1)
    const life = liveFrom(chain, { random, firstBlock })

    for (let round = 0; round < 3 + random.below(4); round++) {
      for (let step = 0; step < random.below(4); step++) await life.goOn()
      await indexUnderFaults({ random, tableName, firstBlock, meanwhile: life.goOn })
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

interface Attempt {
  random: Random
  tableName: string
  firstBlock: number
  /** Something that happens on the chain while it is indexed. */
  meanwhile: () => Promise<unknown>
}

async function indexUnderFaults({ random, tableName, firstBlock, meanwhile }: Attempt) {
  const killed = new AbortController()
  const stop = new AbortController()
  const rate = random.pick([0, 0.03, 0.1])
  const kill = random.chance(0.6)
    ? {
        atWrite: random.below(MAX_WRITES_BEFORE_KILL),
        arrives: random.chance(0.5),
        onKill: () => killed.abort(new Error('Killed')),
      }
    : undefined
  let head = await chain.head()
  const table = await startTableProxy(engine.endpoint, { random, rate, kill })
  const nodes = await Promise.all(
    [rate, rate].map(each => startNodeProxy(chain.rpcUrl, { random, rate: each, head: () => head })),
  )
  const indexing = indexChain({
    ...target(tableName, firstBlock),
    endpoint: table.url,
    rpcUrls: nodes.map(({ url }) => url),
    follow: true,
    signal: stop.signal,
    abort: killed.signal,
  }).catch(error => {
    const name = error instanceof Error && error.name !== 'Error' ? error.name : error.message
    if (!EXPECTED_ENDS.includes(name)) throw error
  })
  for (let step = 0; step < random.below(3); step++) {
    await meanwhile()
    head = await chain.head()
  }
  const timer = setTimeout(() => stop.abort(new Error('Stopped')), random.below(100))
  await indexing
  clearTimeout(timer)
  await Promise.all([table, ...nodes].map(proxy => proxy.stop()))
}

async function hashOf(blockNumber: number): Promise<unknown> {
  const block = await chain.request('eth_getBlockByNumber', [`0x${blockNumber.toString(16)}`, false])
  return (block as { hash: string } | null)?.hash
}
