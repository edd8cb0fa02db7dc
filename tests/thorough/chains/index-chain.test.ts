import { activity, lastBlock } from '../../../infra/recording/activity.ts'
import { type ChainNode, connectNode } from '../../../lib/chain/nodes/chain-node.ts'
import { groupNodes } from '../../../lib/chain/nodes/node-group.ts'
import type { IndexOptions } from '../../../lib/ingest/indexer/index-options.ts'
import { startChain } from '../../support/chain/chain.ts'
import { chainEvents } from '../../support/chain/chain-truth.ts'
import { createIdleClock } from '../../support/chain/idle-clock.ts'
import { indexChain } from '../../support/chain/index-chain.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { useStops } from '../../support/runner/use-started.ts'
import { useEngine } from '../../support/store/engine.ts'
import { readIndexedTable } from '../../support/store/indexed-table.ts'
import { localClient } from '../../support/store/local-client.ts'
import { itemsOfAll } from '../../support/store/stored-items.ts'

knowNodeErrors()
const engine = useEngine()

const stopLater = useStops(afterEach)
const newChain = async () => stopLater(await startChain())

/** In blocks. */
const FINAL_DEPTH = 64

async function emptyChain(blocks: number) {
  const chain = await newChain()
  await chain.mineEmpty(blocks)
  const tableName = await engine.createEventsTable()
  const place = { endpoint: engine.endpoint, tableName, network: 'polygon', rpcUrls: [chain.rpcUrl] } as const
  return { chain, place }
}

/**
 * Indexes to the head, although the node's first replies about one block, by default the newest final block, are wrong.
 */
async function indexDespite(
  reply: unknown,
  place: Parameters<typeof indexChain>[0],
  { block = 'finalized', times = 12 } = {},
) {
  const idle = createIdleClock()
  const pollMs = 777
  let pauses = 0
  const sleep: typeof idle.sleep = (ms, signal) => {
    if (ms === pollMs) pauses += 1
    return idle.sleep(ms, signal)
  }
  const node = connectNode(place.rpcUrls[0] as string, { retryCount: 0 })
  let wrong = times
  const request: ChainNode['request'] = async (method, params, signal) =>
    params[0] === block && wrong-- > 0 ? reply : node.request(method, params, signal)
  const nodes = groupNodes([idle.watchNode({ name: node.name, request })], { clock: idle })
  const stalledAt: number[] = []
  const onStalled = (blockNumber: number) => stalledAt.push(blockNumber)
  const { checkpoint } = await indexChain({ ...place, nodes, clock: { ...idle, sleep }, pollMs, onStalled })
  return { pauses, stalledAt, checkpoint }
}

test('waits between requests, and says so, while a node knows of fewer final blocks than an earlier node', async () => {
  const { chain, place } = await emptyChain(FINAL_DEPTH + 9)
  await indexChain({ ...place, toBlock: 5 })

  const { pauses, stalledAt, checkpoint } = await indexDespite(null, place)

  expect(checkpoint?.blockNumber).toBe(await chain.head())
  expect({ pauses, stalledAt }).toEqual({ pauses: 12, stalledAt: [6] })
})

test('ends no backfill with an orphaned block, however many blocks it has', async () => {
  const { chain, place } = await emptyChain(FINAL_DEPTH + 39)
  const final = await chain.request('eth_getBlockByNumber', ['finalized', false])
  const { number } = final as { number: string }

  const other = { ...(final as object), hash: `0x${'ab'.repeat(32)}` }
  const { checkpoint } = await indexDespite(other, place, { block: number, times: 1 })

  expect(checkpoint).toMatchObject({ blockNumber: await chain.head(), finalizedBlock: Number(number) })
})

describe('a backfill', () => {
  const { jest } = import.meta
  afterEach(() => jest.restoreAllMocks())

  const EMPTY_BLOCKS = 300
  /** The node refuses to search more than this many blocks at once. */
  const MOST_BLOCKS = 50

  /** The clock advances by a minute whenever it is read, so a checkpoint is due whenever one can be stored. */
  async function setup() {
    const chain = await newChain()
    for (const calls of activity(chain.users, 0)) await chain.mine(calls)
    await chain.mineEmpty(FINAL_DEPTH)
    await chain.mine(lastBlock(chain.users))
    await chain.mineEmpty(EMPTY_BLOCKS)
    const tableName = await engine.createEventsTable()
    let now = performance.now()
    jest.spyOn(performance, 'now').mockImplementation(() => {
      now += 60_000
      return now
    })
    const node = connectNode(chain.rpcUrl, { retryCount: 0 })
    const firstBlocks = new Set<number>()
    const run = (options: Partial<IndexOptions> & { failsFrom?: number }) => {
      const { failsFrom = Number.POSITIVE_INFINITY } = options
      const clock = createIdleClock()
      const request: ChainNode['request'] = async (method, params, signal) => {
        if (method === 'eth_getLogs') {
          const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string }
          if (Number(toBlock) - Number(fromBlock) >= MOST_BLOCKS) throw new Error('Too many blocks')
          if (Number(fromBlock) >= failsFrom) throw new Error('The node is down')
          firstBlocks.add(Number(fromBlock))
        }
        return node.request(method, params, signal)
      }
      const nodes = groupNodes([clock.watchNode({ name: node.name, request })], { clock })
      const place = { endpoint: engine.endpoint, tableName, network: 'polygon', rpcUrls: [] } as const
      return indexChain({ ...place, nodes, clock, proof: 'none', ...options })
    }
    const read = () => readIndexedTable(engine.client, tableName, 'polygon')
    return { chain, run, read, firstBlocks }
  }

  test('keeps what it has read of blocks with few events, even if the nodes fail afterwards', async () => {
    const { chain, run, read } = await setup()

    await expect(run({ failsFrom: EMPTY_BLOCKS })).rejects.toThrow('The node is down')

    const { events, checkpoint } = await read()
    expect(checkpoint?.blockNumber).toBeGreaterThanOrEqual(EMPTY_BLOCKS - 1)
    expect(events).toEqual(itemsOfAll(await chainEvents(chain, 'polygon')))
  })

  test('reads no further blocks if it cannot move the checkpoint', async () => {
    const { run, firstBlocks } = await setup()
    const createClient = async () => {
      const client = localClient(engine.endpoint)
      client.middlewareStack.add(
        next => async request => {
          if (JSON.stringify(request.input).includes('#blockHash')) throw new Error('Access denied')
          return next(request)
        },
        { step: 'initialize' },
      )
      return client
    }

    await expect(run({ createClient })).rejects.toThrow('Access denied')

    // The run may read one range ahead, but no more.
    expect(firstBlocks.size).toBeLessThanOrEqual(2)
  })
})
