import { connectNode } from '../../lib/chain/nodes/chain-node.ts'
import { createIndexHandler, type IndexObserver } from '../../lib/ingest/indexer/create-index-handler.ts'
import { parseIndexConfig } from '../../lib/ingest/indexer/index-config.ts'
import type { IndexProgress } from '../../lib/ingest/indexer/index-options.ts'
import { acquireLease } from '../../lib/store/leases/acquire-lease.ts'
import { useChain } from '../support/chain/chain.ts'
import { createIdleClock } from '../support/chain/idle-clock.ts'
import { startFaultProxy } from '../support/faults/fault-proxy.ts'
import { lambdaContext } from '../support/http/http-events.ts'
import { knowNodeErrors } from '../support/programs/know-node-errors.ts'
import { useEngine } from '../support/store/engine.ts'
import { readIndexedTable } from '../support/store/indexed-table.ts'
import { localClient } from '../support/store/local-client.ts'

knowNodeErrors()
const engine = useEngine()

const chain = useChain()
beforeAll(async () => {
  await chain.mineEmpty(5)
})

async function setup(config: object) {
  const tableName = await engine.createEventsTable()
  const told = { indexed: [] as IndexProgress[], busy: [] as string[], failed: [] as string[] }
  const observer: IndexObserver = {
    indexed: progress => told.indexed.push(progress),
    busy: network => told.busy.push(network),
    failed: network => told.failed.push(network),
    unproven: () => undefined,
  }
  const clock = createIdleClock()
  const handler = createIndexHandler({
    readConfig: async () => parseIndexConfig(JSON.stringify(config)),
    tableName,
    createClient: async () => clock.watchClient(localClient(engine.endpoint)),
    connect: url => clock.watchNode(connectNode(url, { retryCount: 1 })),
    observer,
    clock,
  })
  return {
    tableName,
    told,
    clock,
    invoke: (remainingMs: number) => {
      const deadline = clock.now() + remainingMs
      return handler({}, lambdaContext({ getRemainingTimeInMillis: () => deadline - clock.now() }))
    },
  }
}

const toHead = (rpcUrl: string) => ({ rpc: [rpcUrl], confirmations: 0 })

test.each([
  ['without a node', { rpc: ['http://127.0.0.1:9'] }, 'No node gives a valid answer: 127.0.0.1:9'],
  ['of another chain', { chainId: 12_345 }, 'serves the chain with id 31337, not base (chain id 12345)'],
])('a network %s fails the invocation, but not the other networks', async (_, changed, message) => {
  const config = { polygon: toHead(chain.rpcUrl), base: { ...toHead(chain.rpcUrl), ...changed } }
  const { invoke, told, tableName } = await setup(config)

  await expect(invoke(60_000)).rejects.toThrow(message)

  expect(told.indexed.map(({ network }) => network)).toEqual(['polygon'])
  expect(told.failed).toEqual(['base'])
  expect((await readIndexedTable(engine.client, tableName, 'base')).checkpoint).toBeUndefined()
})

test('stops before its time is up and leaves the lease to the next invocation', async () => {
  const following = { polygon: { ...toHead(chain.rpcUrl), follow: true } }
  const { invoke, told, tableName, clock } = await setup(following)

  await invoke(3000)

  expect(clock.now()).toBeLessThan(3000)
  expect(told.indexed).toHaveLength(1)
  const { checkpoint } = await readIndexedTable(engine.client, tableName, 'polygon')
  expect(checkpoint).toMatchObject({ leased: false, fence: 1 })
})

test.each(['nothing', 'a scope'])(
  'a network that has stored %s fails if its nodes never give a block, and does not count as held by another indexer',
  async stored => {
    const silent = await startFaultProxy(chain.rpcUrl, async (request, forward) => {
      if (!request.body.includes('eth_getBlockByNumber')) return forward()
      clock.hang()
      return 'hang'
    })
    const { invoke, told, clock, tableName } = await setup({ polygon: toHead(silent.url) })
    const held = { client: engine.client, tableName, network: 'polygon' } as const
    const scope = { contracts: 'any', fromBlock: 0 } as const
    if (stored === 'a scope') await (await acquireLease({ ...held, scope })).end({ release: true })

    await expect(invoke(60_000)).rejects.toThrow('The time is up')

    expect(told).toMatchObject({ busy: [], failed: ['polygon'] })
    await silent.stop()
  },
)

test.each([
  ['{', 'is not JSON'],
  ['{"solana":{"rpc":["https://example.org"]}}', 'solana'],
  ['{"base":{"rpc":[]}}', 'base.rpc'],
  ['{"base":{"rpc":["https://example.org/secret"],"contracts":["0x1"]}}', 'base.contracts'],
  ['{"base":{"rpc":["https://example.org/secret"],"fromBlock":-1}}', 'base.fromBlock'],
  ['{"base":{"rpc":["https://example.org/secret"],"chainId":"0x1"}}', 'base.chainId'],
  ['{"base":{"rpc":["https://example.org/secret"],"blocks":1}}', 'base'],
])('refuses the configuration %s without telling addresses', (json, problem) => {
  const parse = () => parseIndexConfig(json)
  expect(parse).toThrow(problem)
  expect(parse).not.toThrow('secret')
})
