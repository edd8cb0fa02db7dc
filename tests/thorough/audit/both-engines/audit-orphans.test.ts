import { auditChain } from '../../../support/audit/audit-chain.ts'
import { startChain, type TestChain } from '../../../support/chain/chain.ts'
import { chainEvents } from '../../../support/chain/chain-truth.ts'
import { indexChain } from '../../../support/chain/index-chain.ts'
import { knowNodeErrors } from '../../../support/programs/know-node-errors.ts'
import { useEngine } from '../../../support/store/engine.ts'
import { readIndexedTable } from '../../../support/store/indexed-table.ts'
import { itemsOfAll } from '../../../support/store/stored-items.ts'

knowNodeErrors()
const engine = useEngine()
const NETWORK = 'polygon'

let chain: TestChain
beforeEach(async () => {
  chain = await startChain()
})
afterEach(() => chain.stop())

async function mintBlocks(count: number, first = 0) {
  const [by = '0x', to] = chain.users
  for (let id = first; id < first + count; id++)
    await chain.mine([{ by, contract: 0, functionName: 'mint', args: [to, BigInt(id), 1n, `bucket ${id}`] }])
}

test('a repair that removes events of orphaned blocks leaves the blocks in their place to the indexer', async () => {
  const tableName = await engine.createEventsTable()
  const target = { endpoint: engine.endpoint, tableName, network: NETWORK, rpcUrls: [chain.rpcUrl] } as const
  await mintBlocks(6)
  await indexChain(target)
  const ancestor = (await chain.head()) - 2
  await chain.request('anvil_rollback', [2])
  // The new blocks have other times, so the audit finds the orphaned events by their times alone.
  await chain.request('evm_increaseTime', [60])
  await mintBlocks(2, 20)

  await auditChain({ ...target, toBlock: ancestor + 2, repair: true })

  const repaired = await readIndexedTable(engine.client, tableName, NETWORK)
  expect(repaired.checkpoint?.blockNumber).toBe(ancestor)
  await indexChain(target)
  const { events, checkpoint } = await readIndexedTable(engine.client, tableName, NETWORK)
  expect(events).toEqual(itemsOfAll(await chainEvents(chain, NETWORK)))
  expect(checkpoint?.blockNumber).toBe(await chain.head())
})
