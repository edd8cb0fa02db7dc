import { activity, lastBlock } from '../../../infra/recording/activity.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { createFreshness } from '../../../lib/http/freshness.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { createCheckpointReader } from '../../../lib/store/reading/read-checkpoints.ts'
import { startChain, type TestChain } from '../../support/chain/chain.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { ask, type HttpAnswer, nextUrl } from '../../support/http/ask.ts'
import { queryFunctions } from '../../support/http/query-functions.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { type ApiRequest, requestOfUrl, tokenEvents, userEvents } from '../../support/requests/api-request.ts'
import { useEngine } from '../../support/store/engine.ts'
import { readIndexedTable } from '../../support/store/indexed-table.ts'
import { itemsOfAll } from '../../support/store/stored-items.ts'

knowNodeErrors()
const engine = useEngine()

const started: TestChain[] = []
async function newChain(): Promise<TestChain> {
  const chain = await startChain()
  started.push(chain)
  return chain
}
afterEach(() => Promise.all(started.splice(0).map(chain => chain.stop())))

const ONLY_A_HANG_MS = 600_000
/** In blocks. */
const FINAL_DEPTH = 64

async function liveThrough(chain: TestChain, rounds: number) {
  for (let round = 0; round < rounds; round++) {
    for (const calls of activity(chain.users, round)) await chain.mine(calls)
    await chain.mineEmpty(round === 0 ? FINAL_DEPTH : 1)
  }
  await chain.mine(lastBlock(chain.users))
}

const index = (tableName: string, network: EventRecord['network'], chain: TestChain) =>
  indexChain({ endpoint: engine.endpoint, tableName, network, rpcUrls: [chain.rpcUrl] })

function serve(tableName: string) {
  const table = { client: engine.reader, tableName }
  const options = {
    store: createDynamoEventStore(table),
    freshness: createFreshness(createCheckpointReader(table), { maxWaitMs: ONLY_A_HANG_MS }),
  }
  const handlers = queryFunctions(options)
  const get = (request: ApiRequest) => ask(handlers[request.endpoint], request, 'http-api')
  return {
    get,
    async readAll(request: ApiRequest): Promise<EventRecord[]> {
      const pages: HttpAnswer[] = [await get(request)]
      for (let next = nextUrl(pages[0] as HttpAnswer); next; next = nextUrl(pages.at(-1) as HttpAnswer)) {
        pages.push(await get(requestOfUrl(next)))
      }
      return pages.flatMap(({ body }) => body as EventRecord[])
    },
  }
}

test('both endpoints return what several chains say, read from the nodes directly', async () => {
  const [polygon, base, ethereum] = await Promise.all([newChain(), newChain(), newChain()])
  if (!polygon || !base || !ethereum) throw new Error('No chains')
  const tableName = await engine.createEventsTable()
  const chains = [
    { network: 'polygon', chain: polygon, rounds: 2 },
    { network: 'base', chain: base, rounds: 1 },
    { network: 'ethereum', chain: ethereum, rounds: 1 },
  ] as const
  await Promise.all(chains.map(({ chain, rounds }) => liveThrough(chain, rounds)))

  await Promise.all(chains.map(({ network, chain }) => index(tableName, network, chain)))

  const truth = (await Promise.all(chains.map(({ network, chain }) => chainEvents(chain, network)))).flat()
  expect(new Set(truth.map(({ event }) => event)).size).toBe(5)
  const { readAll, get } = serve(tableName)
  const requests = [
    tokenEvents(),
    tokenEvents('createdAt=asc&event=MintedBatch'),
    tokenEvents(`blockNumber=asc&address=${polygon.contracts[1] ?? ''}`),
    tokenEvents([['transactionHash', truth[0]?.transactionHash ?? '']]),
    tokenEvents(`from=${polygon.users[2] ?? ''}&limit=7`),
    tokenEvents([['owner', polygon.users[2] ?? '']]),
    ...polygon.users.map(user => userEvents(user)),
    ...polygon.users.map(user => userEvents(user, 'network=base&blockNumber=desc')),
  ]
  for (const request of requests) {
    expect(await readAll(request)).toEqual(validAnswer(truth, request).all)
  }
  const { headers } = await get(tokenEvents())
  const heads = await Promise.all(
    chains.map(({ chain }) => chain.request('eth_getBlockByNumber', ['latest', false])),
  )
  const parts = chains.map(({ network }, at) => {
    const { number, timestamp } = heads[at] as { number: string; timestamp: string }
    return `${network}=${Number(number)}@${new Date(Number(timestamp) * 1000).toISOString().slice(0, 19)}Z`
  })
  expect(headers['x-indexed-through']).toBe(parts.toSorted().join(', '))
})

test('goes on from where it was, and writes nothing again', async () => {
  const chain = await newChain()
  const tableName = await engine.createEventsTable()
  await liveThrough(chain, 1)
  await index(tableName, 'polygon', chain)

  expect(await index(tableName, 'polygon', chain)).toMatchObject({ events: 0, blocks: 0, writeUnits: 0 })
  await chain.mineEmpty(3)
  expect(await index(tableName, 'polygon', chain)).toMatchObject({ events: 0, blocks: 3 })
})

test('keeps to the contracts and blocks that it is given, and to its distance from the head', async () => {
  const chain = await newChain()
  const tableName = await engine.createEventsTable()
  await liveThrough(chain, 1)
  const [contract = ''] = chain.contracts
  const options = { endpoint: engine.endpoint, tableName, network: 'base', rpcUrls: [chain.rpcUrl] } as const

  await indexChain({ ...options, contracts: [contract], fromBlock: 3, confirmations: 2 })

  const toBlock = (await chain.head()) - 2
  const truth = await chainEvents(chain, 'base', { fromBlock: 3, toBlock })
  const { events, checkpoint } = await readIndexedTable(engine.client, tableName, 'base')
  expect(events).toEqual(itemsOfAll(truth.filter(({ address }) => address === contract)))
  expect(checkpoint).toMatchObject({ blockNumber: toBlock })
  await expect(indexChain({ ...options, contracts: 'any', fromBlock: 3 })).rejects.toThrow(
    `base was indexed from block 3 on for ${contract}, but this run would index it from block 3 on for any contract`,
  )
  await indexChain({ ...options, contracts: 'any', fromBlock: 0, restart: true })
  const after = await readIndexedTable(engine.client, tableName, 'base')
  expect(after.events).toEqual(itemsOfAll(await chainEvents(chain, 'base')))
})

test('blocks become final in the table, even if a run has no further block to index', async () => {
  const chain = await newChain()
  await chain.mineEmpty(9)
  const toBlock = await chain.head()
  const tableName = await engine.createEventsTable()
  const place = { endpoint: engine.endpoint, tableName, network: 'polygon', rpcUrls: [chain.rpcUrl] } as const
  await indexChain({ ...place, toBlock })

  await chain.mineEmpty(FINAL_DEPTH - 3)
  expect((await indexChain({ ...place, toBlock })).checkpoint).toMatchObject({ finalizedBlock: toBlock - 3 })
  await chain.mineEmpty(5)
  expect((await indexChain({ ...place, toBlock })).checkpoint?.finalizedBlock).toBeGreaterThanOrEqual(toBlock)

  const { checkpoint, recentBlocks } = await readIndexedTable(engine.client, tableName, 'polygon')
  expect(checkpoint).toMatchObject({ blockNumber: toBlock })
  expect(recentBlocks).toMatchObject([{ blockNumber: toBlock }])
})
