import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Call } from '../../../infra/recording/activity.ts'
import type { Item } from '../../../lib/store/format/item.ts'
import { DATA } from '../../../lib/store/format/keys.ts'
import { MAX_BATCH_ITEMS, putItems } from '../../../lib/store/writing/put-items.ts'
import { startChain, type TestChain } from '../../support/chain/chain.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { type FaultProxy, startFaultProxy } from '../../support/faults/fault-proxy.ts'
import { isWrite } from '../../support/faults/faults.ts'
import { startTableProxy } from '../../support/faults/index-faults.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { createRandom } from '../../support/records/random.ts'
import { IS_LONG_RUN } from '../../support/runner/test-size.ts'
import { useEngine } from '../../support/store/engine.ts'
import { readIndexedTable } from '../../support/store/indexed-table.ts'
import { itemsOfAll, storedItems } from '../../support/store/stored-items.ts'

knowNodeErrors()
const engine = useEngine()
const NETWORK = 'base'
/**
 * The maximum number of writes at which a writer is killed. A long run kills at every write twice: the write arrives
 * once and is lost once. A short run kills at equal distances, and every second of these writes arrives.
 */
const KILLS = IS_LONG_RUN ? Number.POSITIVE_INFINITY : 8

let chain: TestChain
/** The table's items before the chain was reorganised. */
let itemsBefore: Item[]

beforeAll(async () => {
  chain = await startChain()
  await chain.mine([mint(1), mintBatch(200)])
  await chain.mineEmpty(66)
  await chain.mine([mint(2), mintBatch(200)])
  await chain.mine([mint(3)])
  const tableName = await engine.createEventsTable()
  await indexChain(target(tableName))
  // `storedItems` returns bytes as text, so the text becomes bytes again.
  itemsBefore = (await storedItems(engine.client, tableName)).map(item =>
    item[DATA] === undefined ? item : { ...item, [DATA]: Buffer.from(String(item[DATA]), 'base64') },
  )
  await chain.reorganise(2, [[mint(4)], [mint(5), mintBatch(201)]])
})
afterAll(() => chain.stop())

const target = (tableName: string) =>
  ({ endpoint: engine.endpoint, tableName, network: NETWORK, rpcUrls: [chain.rpcUrl] }) as const

function mint(number: number): Call {
  const [ada, bob] = chain.users
  return { by: ada as `0x${string}`, contract: 0, functionName: 'mint', args: [bob, BigInt(number), 1n, ''] }
}

/** A call that mints so many ids that their record is stored in chunks. */
function mintBatch(count: number): Call {
  const [ada, bob] = chain.users
  const ids = Array.from({ length: count }, (_, index) => (1n << 200n) + BigInt(index))
  const args = [bob, ids, ids.map(() => 1n)]
  return { by: ada as `0x${string}`, contract: 1, functionName: 'mintBatch', args }
}

async function tableWith(items: readonly Item[]): Promise<string> {
  const tableName = await engine.createEventsTable()
  const client = DynamoDBDocumentClient.from(engine.client)
  for (let start = 0; start < items.length; start += MAX_BATCH_ITEMS) {
    await putItems(items.slice(start, start + MAX_BATCH_ITEMS), { client, tableName })
  }
  return tableName
}

/** Indexes through the proxy. Resolves once the run has ended, also after an abort, and stops the proxy. */
async function indexThrough(proxy: FaultProxy, tableName: string, abort?: AbortSignal) {
  try {
    await indexChain({ ...target(tableName), endpoint: proxy.url, ...(abort && { abort }) })
  } catch (error) {
    if (!abort?.aborted) throw error
  } finally {
    await proxy.stop()
  }
}

async function countWrites(items: readonly Item[]): Promise<number> {
  let writes = 0
  const tableName = await tableWith(items)
  const proxy = await startFaultProxy(engine.endpoint, (request, forward) => {
    if (isWrite(request)) writes += 1
    return forward()
  })
  await indexThrough(proxy, tableName)
  return writes
}

test.each([
  ['while an empty table is filled', () => []],
  ['while a reorganisation is repaired', () => itemsBefore],
])('killed at any write %s, the next run ends with the chain', async (_, itemsOfStart) => {
  const random = createRandom(1)
  const truth = itemsOfAll(await chainEvents(chain, NETWORK))
  const writes = await countWrites(itemsOfStart())
  expect(writes).toBeGreaterThan(10)
  const step = Math.max(1, Math.ceil(writes / KILLS))

  for (let atWrite = 0; atWrite < writes; atWrite += step) {
    for (const arrives of IS_LONG_RUN ? [true, false] : [(atWrite / step) % 2 === 0]) {
      const tableName = await tableWith(itemsOfStart())
      const killed = new AbortController()
      const onKill = () => killed.abort(new Error('Killed'))
      const proxy = await startTableProxy(engine.endpoint, {
        random,
        rate: 0,
        kill: { atWrite, arrives, onKill },
      })
      await indexThrough(proxy, tableName, killed.signal)

      await indexChain(target(tableName))

      const { events, checkpoint } = await readIndexedTable(engine.client, tableName, NETWORK)
      expect({ atWrite, arrives, events }).toEqual({ atWrite, arrives, events: truth })
      expect(checkpoint?.blockNumber).toBe(await chain.head())
    }
  }
})
