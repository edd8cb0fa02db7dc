import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Call } from '../../../../infra/recording/activity.ts'
import { endOfBlock, placeOf } from '../../../../lib/events/place.ts'
import type { EventRecord } from '../../../../lib/events/record.ts'
import type { Revision } from '../../../../lib/events/revision.ts'
import { answerQuery } from '../../../../lib/query/answer-query.ts'
import { indexStateKey } from '../../../../lib/store/format/checkpoint.ts'
import { type Item, itemsOf } from '../../../../lib/store/format/event-items.ts'
import { REVISION } from '../../../../lib/store/format/revision-item.ts'
import { createDynamoEventStore } from '../../../../lib/store/reading/dynamo-event-store.ts'
import { updateCommand } from '../../../../lib/store/update-command.ts'
import { checkpointToRemember, putRecentBlocks } from '../../../../lib/store/writing/recent-blocks.ts'
import { writeEvents } from '../../../../lib/store/writing/write-events.ts'
import { startChain, type TestChain } from '../../../support/chain/chain.ts'
import { chainEvents } from '../../../support/chain/chain-truth.ts'
import { indexChain } from '../../../support/chain/index-chain.ts'
import { storedRevisions } from '../../../support/changes/stored-revisions.ts'
import { type Interceptor, useFaultProxies } from '../../../support/faults/fault-proxy.ts'
import { answering, changeReplies } from '../../../support/faults/rpc-faults.ts'
import { knowNodeErrors } from '../../../support/programs/know-node-errors.ts'
import { queryInputOf } from '../../../support/query/query-input-of.ts'
import { longBatch } from '../../../support/records/make-event.ts'
import { tokenEvents } from '../../../support/requests/api-request.ts'
import { flipped } from '../../../support/store/damaged-items.ts'
import { useEngine } from '../../../support/store/engine.ts'
import { type IndexedTable, readIndexedTable } from '../../../support/store/indexed-table.ts'
import { localClient } from '../../../support/store/local-client.ts'
import { problemsIn } from '../../../support/store/problems-in.ts'
import { itemsOfAll } from '../../../support/store/stored-items.ts'

knowNodeErrors()
const engine = useEngine()
const startFaultProxy = useFaultProxies()
const NETWORK = 'polygon'

let chain: TestChain
beforeEach(async () => {
  chain = await startChain()
})
afterEach(() => chain.stop())

type IndexingOptions = Partial<Parameters<typeof indexChain>[0]>
const index = (tableName: string, options: IndexingOptions = {}) =>
  indexChain({ endpoint: engine.endpoint, tableName, network: NETWORK, rpcUrls: [chain.rpcUrl], ...options })
const read = (tableName: string) => readIndexedTable(engine.client, tableName, NETWORK)
const revisionsIn = (tableName: string) => storedRevisions(engine.client, tableName)

const mint = (number: number): Call => ({
  by: chain.users[number % 4] as `0x${string}`,
  contract: number % 2,
  functionName: 'mint',
  args: [chain.users[(number + 1) % 4], BigInt(number), 1n, `bucket ${number}`],
})

async function mintBlocks(count: number, first = 0) {
  for (let block = 0; block < count; block++)
    await chain.mine([mint(first + block), mint(first + block + 100)])
}

/** Mines this many blocks with events, and indexes them. Returns the table's name. */
async function indexMinted(blocks: number): Promise<string> {
  const tableName = await engine.createEventsTable()
  await mintBlocks(blocks)
  await index(tableName)
  return tableName
}

async function expectTableOfChain(tableName: string) {
  const { events, checkpoint, recentBlocks } = await read(tableName)
  expect(events).toEqual(itemsOfAll(await chainEvents(chain, NETWORK)))
  expect(checkpoint?.blockNumber).toBe(await chain.head())
  const numbers = recentBlocks.map(({ blockNumber }) => blockNumber)
  expect(numbers).toEqual([...new Set(numbers)])
}

async function indexThrough(tableName: string, intercept: Interceptor, options: IndexingOptions = {}) {
  const { url } = await startFaultProxy(chain.rpcUrl, intercept)
  return index(tableName, { rpcUrls: [url], ...options })
}

/** Stops a run once it has stored its scope, before its first checkpoint. */
function indexNothing(tableName: string, options: IndexingOptions) {
  const stop = new AbortController()
  const onStart = () => stop.abort(new Error('Stopped'))
  return index(tableName, { ...options, signal: stop.signal, onStart })
}

test('the chunks of an orphan go, also if a restart for another contract has remembered its block again', async () => {
  const tableName = await engine.createEventsTable()
  const [first, second] = chain.contracts as [string, string]
  const large = longBatch(500)
  const [by] = chain.users as [`0x${string}`]
  const ids = large.tokenIds.map(BigInt)
  await chain.mine([
    { by, contract: 0, functionName: 'mintBatch', args: [by, ids, ids.map(() => 1n)] },
    mint(1),
  ])
  await index(tableName, { contracts: [first] })
  await index(tableName, { contracts: [second], restart: true })
  await chain.reorganise(1)
  await index(tableName, { contracts: [second] })

  await expectTableOfChain(tableName)
})

test('an orphan is removed with its parent, even if a node still returns it, because copies identify events by id', async () => {
  const tableName = await indexMinted(4)
  const old = await chain.block(await chain.head())
  await chain.reorganise(2)
  let replies = 0
  const stale = changeReplies(({ method, params }, reply) => {
    if (method !== 'eth_getBlockByNumber' || Number(params[0]) !== old.number) return reply
    replies += 1
    return replies === 2 ? { ...reply, result: { ...(reply.result as object), hash: old.hash } } : reply
  })
  const before = await revisionsIn(tableName)

  await indexThrough(tableName, stale)

  await expectTableOfChain(tableName)
  expect(await revisionsIn(tableName)).toHaveLength(before.length + 1)
})

test('a restart for another contract completes the events that a killed run has stored in part', async () => {
  const tableName = await indexMinted(2)
  const indexed = await chain.head()
  await mintBlocks(2, 2)
  for (const event of await chainEvents(chain, NETWORK)) {
    // A writer stores an event's item in `all` before its other items.
    const [Item] = itemsOf(event).entries
    if (event.blockNumber > indexed)
      await engine.documents.send(new PutCommand({ TableName: tableName, Item }))
  }

  const contracts = chain.contracts.slice(0, 1)
  await index(tableName, { contracts, restart: true })

  expect(await problemsIn({ client: engine.client, tableName })).toEqual([])
  await expectTableOfChain(tableName)
})

test('a new scope before the first checkpoint reads none of the events that were loaded below the first block', async () => {
  const tableName = await engine.createEventsTable()
  await mintBlocks(3)
  await chain.mineEmpty(1)
  const [first, ...others] = chain.contracts as [string, ...string[]]
  await writeEvents({ client: engine.client, tableName }, await chainEvents(chain, NETWORK))
  const fromBlock = await chain.head()
  await indexNothing(tableName, { fromBlock, contracts: [first] })

  const client = localClient(engine.endpoint)
  let [isNew, rows] = [false, 0]
  client.middlewareStack.add(next => async args => {
    const answer = await next(args)
    const { Items = [] } = answer.output as { Items?: Item[] }
    if (isNew && JSON.stringify(args.input).includes('all@pol')) rows += Items.length
    return answer
  })
  const onNewScope = () => {
    isNew = true
  }
  await index(tableName, { fromBlock, contracts: others, createClient: async () => client, onNewScope })

  expect({ isNew, rows }).toEqual({ isNew: true, rows: 0 })
})

test('a new scope replaces one whose first block the node no longer has', async () => {
  const tableName = await engine.createEventsTable()
  await mintBlocks(3)
  const head = await chain.head()
  await indexNothing(tableName, { fromBlock: 2 })
  const pruned = changeReplies(({ method, params }, reply) =>
    method === 'eth_getBlockByNumber' && params[0] === '0x1' ? { ...reply, result: null } : reply,
  )

  const { checkpoint } = await indexThrough(tableName, pruned, { fromBlock: head })

  expect(checkpoint?.blockNumber).toBe(head)
})

test('blocks below a later start leave nothing in the table if they leave the chain while the run begins', async () => {
  const tableName = await indexMinted(4)
  await mintBlocks(1, 10)
  let isReorganised = false
  const reorganising: Interceptor = async ({ body }, forward) => {
    const answer = await forward()
    // The repair, which comes before the run reads its first block, reads several headers in one request.
    if (isReorganised || JSON.parse(body).length === undefined || JSON.parse(body).length < 4) return answer
    isReorganised = true
    await chain.reorganise(3, [[mint(50)], [mint(51)], [mint(52)]])
    return answer
  }
  await indexThrough(tableName, reorganising, { fromBlock: await chain.head(), restart: true })

  const { events } = await read(tableName)
  expect(isReorganised).toBe(true)
  expect(itemsOfAll(await chainEvents(chain, NETWORK))).toEqual(expect.arrayContaining(events))
})

test('a damaged event of an orphan stops it, named by its key: nobody can say whether it has to go', async () => {
  const tableName = await indexMinted(3)
  const orphan = (await chainEvents(chain, NETWORK)).at(-1) as EventRecord
  const Item = flipped(40)(itemsOf(orphan).entries[0] as Item)
  await engine.documents.send(new PutCommand({ TableName: tableName, Item }))
  await chain.reorganise(1)

  await expect(index(tableName)).rejects.toMatchObject({
    code: 'corrupt-row',
    message: `The row all@pol / ${placeOf(orphan)} is not valid`,
  })
})

/** Options that kill a run when it sends the table a request that contains this text. */
async function killAt(text: string) {
  const killed = new AbortController()
  const { url: endpoint } = await startFaultProxy(engine.endpoint, async ({ body }, forward) => {
    if (body.includes(text)) killed.abort(new Error('killed'))
    return killed.signal.aborted ? 'reset' : forward()
  })
  return { endpoint, abort: killed.signal }
}

const isFirst = (reading: number): boolean => reading === 0
/** Expects that indexing makes the table equal to the chain, although some requests for this block get this reply. */
async function indexDespite(
  tableName: string,
  { block, reply }: { block: number; reply: unknown },
  isAt = isFirst,
) {
  let readings = 0
  await indexThrough(tableName, async (request, forward) => {
    const isOfBlock = request.body.includes(`"0x${block.toString(16)}"`)
    return isOfBlock && isAt(readings++) ? answering(reply)(request, forward) : forward()
  })

  expect(readings).toBeGreaterThan(1)
  await expectTableOfChain(tableName)
}

/** Replaces the last `depth` blocks of the chain, and makes the new blocks final. */
async function replaceForGood(depth: number) {
  const block = await chain.head()
  const old = await chain.request('eth_getBlockByNumber', [`0x${block.toString(16)}`, false])
  await chain.reorganise(depth, [[mint(50)]])
  await chain.mineEmpty(66)
  return { block, old }
}

test.each([
  ['has no block there', () => null],
  ['is on the old chain', (old: unknown) => old],
])('a node that %s for a moment does not make an orphan stay', async (_, replyFor) => {
  const tableName = await indexMinted(3)
  const { block, old } = await replaceForGood(2)

  await indexDespite(tableName, { block, reply: replyFor(old) })
})

test('an orphan of a killed run goes, also if a node is on the old chain when its successor is already final', async () => {
  const tableName = await indexMinted(3)
  await mintBlocks(1, 10)
  await expect(index(tableName, await killAt('#blockHash'))).rejects.toThrow('killed')
  const { block, old } = await replaceForGood(1)

  await indexDespite(tableName, { block, reply: old })
})

test('the newest final block is known as an ancestor, though a node had no block there for a moment', async () => {
  const tableName = await engine.createEventsTable()
  await mintBlocks(3)
  await chain.mineEmpty(66)
  await mintBlocks(2, 10)
  const block = (await chain.head()) - 64
  await indexDespite(tableName, { block, reply: null }, reading => reading % 2 === 0)
  await chain.reorganise(64)

  await index(tableName)

  await expectTableOfChain(tableName)
})

/** A node that calls its newest block final. */
const eagerNode: Interceptor = ({ body }, forward) => forward(body.replaceAll('"finalized"', '"latest"'))

describe('after blocks that were called final have left the chain', () => {
  type Prepare = (tableName: string, blockNumber: number) => Promise<void>

  async function violated({ minted = true, prepare = undefined as Prepare | undefined } = {}) {
    const tableName = await engine.createEventsTable()
    await mintBlocks(6)
    if (prepare) await index(tableName)
    const fork = await chain.head()
    if (minted) {
      await mintBlocks(2, 20)
      const ids = Array.from({ length: 150 }, (_, index) => BigInt(index) + 10n ** 60n)
      await chain.mine([{ ...mint(30), functionName: 'mintBatch', args: [chain.users[1], ids, ids] }])
      await mintBlocks(1, 40)
    } else {
      await chain.mineEmpty(4)
    }
    await indexThrough(tableName, eagerNode)
    await prepare?.(tableName, fork)
    const before = await read(tableName)
    await chain.reorganise(4, [[mint(900)], [], [mint(901), mint(902)]])
    await chain.mine([mint(903)])
    await expect(index(tableName)).rejects.toMatchObject({
      code: 'finality-violated',
      message: expect.stringContaining('is no longer on the chain'),
    })
    await expectUnchanged(tableName, before)
    return { tableName, fork, before }
  }

  async function expectUnchanged(tableName: string, { events, checkpoint }: IndexedTable) {
    const after = await read(tableName)
    expect(after.events).toEqual(events)
    const { blockNumber, finalizedBlock } = checkpoint ?? {}
    expect(after.checkpoint).toMatchObject({ blockNumber, finalizedBlock, leased: false })
  }

  test.each([
    [0, 1],
    [3, 4],
  ])('going back %i below the fork removes events, and %i above it is refused', async (below, above) => {
    const { tableName, fork, before: table } = await violated()
    const before = await revisionsIn(tableName)
    const replaced = index(tableName, { backTo: fork + above })
    await expect(replaced).rejects.toThrow('choose a block from 0 to')
    await expectUnchanged(tableName, table)

    const backTo = fork - below
    const progress = await index(tableName, { backTo })

    expect(progress.first).toBe(backTo + 1)
    await expectTableOfChain(tableName)
    const { checkpoint } = await read(tableName)
    expect(checkpoint?.finalizedBlock).toBe(backTo)
    expect(await problemsIn({ client: engine.client, tableName })).toEqual([])
    const stored = await revisionsIn(tableName)
    const revisions = stored.slice(before.length).map(({ rewind }) => JSON.parse(String(rewind)) as Revision)
    const { timestamp: seconds } = await chain.block(backTo)
    const place = endOfBlock({ seconds, blockNumber: backTo, network: NETWORK }, 'asc')
    expect(revisions.map(({ places }) => places[NETWORK])).toContain(place)
    expect(revisions.flatMap(({ removed }) => removed)).not.toEqual([])
    await chain.mine([mint(904)])
    await index(tableName)
    await expectTableOfChain(tableName)
  })

  /** A repair moves the checkpoint below blocks that are final and still remembered. */
  const lowerCheckpoint: Prepare = async (tableName, blockNumber) => {
    const client = engine.documents
    const blockAt = async (blockNumber: number) => {
      const { hash: blockHash, timestamp } = await chain.block(blockNumber)
      return { blockNumber, blockHash, timestamp }
    }
    const remembered = checkpointToRemember(await blockAt(await chain.head()), [])
    await putRecentBlocks(remembered, { client, tableName, network: NETWORK })
    const set = { ...(await blockAt(blockNumber)), atRest: false }
    const key = indexStateKey(NETWORK)
    await client.send(updateCommand({ tableName, key, set, condition: 'attribute_exists(p)' }))
  }

  test.each([
    ['an older final block is still remembered and on the chain', async () => undefined],
    ['a repair has moved the checkpoint below these blocks', lowerCheckpoint],
  ])('a run without a block to go back to changes nothing, even if %s', async (_, prepare) => {
    const { tableName, fork } = await violated({ prepare })
    await index(tableName, { backTo: fork })
    await expectTableOfChain(tableName)
  })

  test.each([true, false])('readers learn of it from a killed run (events removed: %s)', async minted => {
    const { tableName, fork } = await violated({ minted })
    const before = await revisionsIn(tableName)
    const run = index(tableName, { backTo: fork, ...(await killAt(`:${REVISION}`)) })
    await expect(run).rejects.toThrow('killed')
    const { checkpoint } = await read(tableName)
    expect(checkpoint?.blockNumber).toBe(fork)

    await index(tableName)

    await expectTableOfChain(tableName)
    const stored = await revisionsIn(tableName)
    expect(stored.length).toBeGreaterThan(before.length)
  })

  test('requests by block number find the events of the chain, whatever times the orphaned blocks had', async () => {
    const tableName = await engine.createEventsTable()
    await chain.mineEmpty(3)
    const fork = await chain.head()
    const snapshot = await chain.request('evm_snapshot')
    await chain.request('evm_increaseTime', [3600])
    await mintBlocks(3)
    await indexThrough(tableName, eagerNode, { fromBlock: fork })
    await chain.request('evm_revert', [snapshot])
    await chain.mineEmpty(2)
    await mintBlocks(3, 20)
    await expect(index(tableName, { fromBlock: fork })).rejects.toMatchObject({ code: 'finality-violated' })

    await index(tableName, { fromBlock: fork, backTo: fork })

    const events = (await chainEvents(chain, NETWORK)).filter(({ blockNumber }) => blockNumber > fork)
    const store = createDynamoEventStore({ client: engine.client, tableName })
    const asked = tokenEvents(`network=${NETWORK}&fromBlock=${fork + 3}`)
    const { records } = await answerQuery(queryInputOf(asked), { store })
    expect(records).toHaveLength(events.length)
  })

  test('events of another contract, which a load has stored, stay, although a node lacks a block or none has it yet', async () => {
    const tableName = await engine.createEventsTable()
    await mintBlocks(4)
    const events = await chainEvents(chain, NETWORK)
    const head = await chain.head()
    const contracts = chain.contracts.slice(0, 1)
    const event = events.find(({ address }) => address !== contracts[0]) as EventRecord
    const above = { ...event, blockNumber: head + 1000, blockHash: `0x${'7'.repeat(64)}` }
    await index(tableName, { contracts })
    await writeEvents({ client: engine.client, tableName }, [...events, above])
    const lacking = changeReplies(({ params }, reply) =>
      Number(params[0]) === head - 2 ? { ...reply, result: null } : reply,
    )
    const { url } = await startFaultProxy(chain.rpcUrl, lacking)

    await index(tableName, { contracts, rpcUrls: [url, chain.rpcUrl], backTo: head - 3 })
    await mintBlocks(1, 20)
    await index(tableName, { contracts })

    const indexed = await read(tableName)
    expect(indexed.checkpoint?.blockNumber).toBe(head + 1)
    const added = (await chainEvents(chain, NETWORK)).filter(
      ({ address, blockNumber }) => blockNumber > head && address === contracts[0],
    )
    expect(indexed.events).toEqual(itemsOfAll([...events, ...added, above]))
  })

  test('a block counts as final only after a second node has returned it too', async () => {
    const tableName = await engine.createEventsTable()
    await mintBlocks(3)
    await chain.mineEmpty(4)
    await indexThrough(tableName, eagerNode)
    const backTo = (await chain.head()) - 2
    let replies = 0
    const orphaning = changeReplies(({ params }, reply) => {
      if (Number(params[0]) !== backTo || ++replies > 2) return reply
      return { ...reply, result: { ...(reply.result as object), hash: `0x${'5'.repeat(64)}` } }
    })
    const rpcUrls = [(await startFaultProxy(chain.rpcUrl, orphaning)).url, chain.rpcUrl]

    await index(tableName, { rpcUrls, backTo, toBlock: backTo })

    const { checkpoint } = await read(tableName)
    expect(checkpoint).toMatchObject({ blockHash: (await chain.block(backTo)).hash, finalizedBlock: backTo })
  })
})
