import type { Call } from '../../../infra/recording/activity.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { createDynamoEventStore } from '../../../lib/store/reading/dynamo-event-store.ts'
import { startChain, type TestChain } from '../../support/chain/chain.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { ask, type HttpAnswer } from '../../support/http/ask.ts'
import { queryFunctions } from '../../support/http/query-functions.ts'
import { eventsOf } from '../../support/http/walk.ts'
import { validAnswer } from '../../support/oracle/valid-answer.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { type ApiRequest, tokenEvents, userEvents } from '../../support/requests/api-request.ts'
import { useEngine } from '../../support/store/engine.ts'
import { type LaggingTable, startLaggingTable } from '../../support/store/lagging-table.ts'

knowNodeErrors()
const engine = useEngine()

let chain: TestChain
let table: LaggingTable
let nowMs: number
beforeEach(async () => {
  chain = await startChain()
  table = await startLaggingTable(engine)
  nowMs = Date.parse('2026-01-02T03:04:05.678Z')
})
afterEach(() => Promise.all([chain.stop(), table.stop()]))

const MINUTE_MS = 60_000
const now = () => nowMs
const index = () =>
  indexChain({
    endpoint: engine.endpoint,
    tableName: table.tableName,
    network: 'base',
    rpcUrls: [chain.rpcUrl],
    now,
  })

function askFor(request: ApiRequest): Promise<HttpAnswer> {
  const store = createDynamoEventStore({ client: table.reader, tableName: table.tableName })
  return ask(queryFunctions({ store, now })[request.endpoint], request, 'http-api')
}

const mint = (id: number): Call => ({
  by: chain.users[0] ?? '0x',
  contract: 0,
  functionName: 'mint',
  args: [chain.users[1], BigInt(id), 1n, `bucket ${id}`],
})

const requestsAbout = ({ transactionHash, blockNumber, address }: EventRecord): ApiRequest[] => [
  tokenEvents([['transactionHash', transactionHash]]),
  tokenEvents(`transactionHash=${transactionHash}&blockNumber=asc`),
  tokenEvents([['blockNumber', String(blockNumber)]]),
  tokenEvents([['address', address]]),
  userEvents(chain.users[1] ?? ''),
  tokenEvents(),
]

const named = (request: ApiRequest, block: number): ApiRequest => ({
  ...request,
  query: [...request.query, ['minBlock', `base:${block}`]],
})

/** Expects each answer to contain all matching events of the chain. */
async function expectWholeChain() {
  const truth = await chainEvents(chain, 'base')
  const head = await chain.head()
  for (const request of truth.flatMap(requestsAbout)) {
    expect(eventsOf(await askFor(named(request, head)))).toEqual(validAnswer(truth, request).events)
  }
}

test('what is just indexed is found where no index has it, and is refused until then', async () => {
  await chain.mine([mint(1)])
  await index()
  await chain.mine([mint(2), mint(3)])
  const head = await chain.head()
  const early = await askFor(named(tokenEvents(), head))
  await index()

  expect(early.status).toBe(412)
  await expectWholeChain()
  const [event] = (await chainEvents(chain, 'base')).slice(-1)
  expect(eventsOf(await askFor(tokenEvents([['transactionHash', event?.transactionHash ?? '']])))).toEqual([])
})

test('what a reorganisation takes back is not found where an index still has it', async () => {
  await chain.mine([mint(1)])
  await chain.mine([mint(2)])
  await chain.mine([mint(3)])
  await index()
  await table.catchUp()
  nowMs += MINUTE_MS
  const taken = await chainEvents(chain, 'base')
  // One transaction is mined again in a later block. The other removed transactions are no longer in any block.
  await chain.reorganise(2, [[], [mint(2)]])
  await chain.mineEmpty(1)
  await index()

  await expectWholeChain()
  const truth = await chainEvents(chain, 'base')
  const gone = taken.filter(({ transactionHash }) =>
    truth.every(each => each.transactionHash !== transactionHash),
  )
  const head = await chain.head()
  expect(gone.length).toBeGreaterThan(0)
  for (const { transactionHash } of gone) {
    expect(eventsOf(await askFor(named(tokenEvents([['transactionHash', transactionHash]]), head)))).toEqual(
      [],
    )
  }
})

test('what was indexed for long enough is read from an index alone, also where an indexer has begun anew', async () => {
  for (let id = 1; id < 5; id += 1) {
    await chain.mine([mint(id)])
    await index()
    nowMs += 4 * MINUTE_MS
  }
  await table.catchUp()
  nowMs += 9 * MINUTE_MS
  const head = await chain.head()
  const [event] = (await chainEvents(chain, 'base')).slice(-1)
  const { headers } = await askFor(
    named(tokenEvents([['transactionHash', event?.transactionHash ?? '']]), head),
  )

  // One call reads the checkpoints, and one reads the index.
  expect(headers['server-timing']).toMatch(/desc="2 calls, 2 round trips/)
  await expectWholeChain()
  await indexChain({
    endpoint: engine.endpoint,
    tableName: table.tableName,
    network: 'base',
    rpcUrls: [chain.rpcUrl],
    now,
    restart: true,
    fromBlock: 0,
  })
  await expectWholeChain()
})
