import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { CHAINS } from '../../../../lib/events/networks.ts'
import { loadFiles } from '../../../../lib/ingest/load/load-files.ts'
import { blockTimesList, LIST_KEY, PLACE_KEY } from '../../../../lib/store/format/keys.ts'
import { BLOCKS_PER_NOTE } from '../../../../lib/store/writing/block-times.ts'
import { startChain } from '../../../support/chain/chain.ts'
import { indexChain } from '../../../support/chain/index-chain.ts'
import { knowNodeErrors } from '../../../support/programs/know-node-errors.ts'
import { useTextFiles } from '../../../support/programs/text-files.ts'
import { makeEvent } from '../../../support/records/make-event.ts'
import { ndjson, rawLogOf } from '../../../support/records/raw-log-of.ts'
import { useStops } from '../../../support/runner/use-started.ts'
import { useEngine } from '../../../support/store/engine.ts'
import { problemsIn } from '../../../support/store/problems-in.ts'
import { storedItems } from '../../../support/store/stored-items.ts'

knowNodeErrors()
const engine = useEngine()
const stopLater = useStops()
const writeText = useTextFiles()
const NETWORK = 'polygon'
const START = Date.parse('2023-06-01T00:00:00Z') / 1000

/** The last events are too close to the highest block to be final. */
const BLOCKS = [5, 400, 999, 1000, 1001, 2500, 2501, 6000, 6001, 6000 + CHAINS[NETWORK].finalDepth]
const secondsOf = (blockNumber: number) => START + 2 * blockNumber
const records = BLOCKS.map(blockNumber =>
  makeEvent('OwnershipTransferred', {
    network: NETWORK,
    blockNumber,
    transactionHash: `0x${String(blockNumber).padStart(64, '0')}`,
    createdAt: new Date(secondsOf(blockNumber) * 1000).toISOString(),
  }),
)

const timesIn = async (tableName: string) =>
  (await storedItems(engine.client, tableName))
    .filter(item => item[LIST_KEY] === blockTimesList(NETWORK))
    .map(item => [Number(item[PLACE_KEY]), item.timestamp])

test('a load notes the time of the lowest block with events in each thousand, as far as blocks are final, and verifying names wrong times', async () => {
  const tableName = await engine.createEventsTable()
  const files = [await writeText('logs.ndjson', ndjson(records.toReversed().map(rawLogOf)))]
  await loadFiles({ client: engine.client, tableName, files })

  expect((await timesIn(tableName)).toSorted()).toEqual(
    [5, 1000, 2500, 6000].map(block => [block, secondsOf(block)]).toSorted(),
  )
  expect(await problemsIn({ client: engine.client, tableName })).toEqual([])

  // The first time is later than that of a later block, the second differs from its own block's time, and the third is
  // earlier than that of an earlier block.
  const wrong = { 2400: secondsOf(2500) + 1, 2501: secondsOf(2501) + 1, 6100: secondsOf(6001) - 1 }
  const places = Object.keys(wrong).map(blockNumber => blockNumber.padStart(12, '0'))
  for (const [index, timestamp] of Object.values(wrong).entries()) {
    const Item = { [LIST_KEY]: blockTimesList(NETWORK), [PLACE_KEY]: places[index], timestamp }
    await DynamoDBDocumentClient.from(engine.client).send(new PutCommand({ TableName: tableName, Item }))
  }
  const message = expect.stringMatching(/^the stored time contradicts block/)
  expect(await problemsIn({ client: engine.client, tableName })).toEqual(
    places.map(place => ({ list: blockTimesList(NETWORK), place, message })),
  )
})

test('an indexer notes the first block of each thousand, whether it catches up or follows the head', async () => {
  const chain = stopLater(await startChain())
  const tableName = await engine.createEventsTable()
  const mint = (id: number) =>
    chain.mine([
      {
        by: chain.users[0] as `0x${string}`,
        contract: 0,
        functionName: 'mint',
        args: [chain.users[1], BigInt(id), 1n, 'bucket'],
      },
    ])
  const run = () =>
    indexChain({ endpoint: engine.endpoint, tableName, network: NETWORK, rpcUrls: [chain.rpcUrl] })
  await mint(1)
  await chain.mineEmpty(BLOCKS_PER_NOTE - (await chain.head()) - 40)
  await run()
  // The first block creates the contracts and sets their owners.
  expect((await timesIn(tableName)).map(([block]) => block)).toEqual([1])

  // Each later block is near the head when the indexer first reads it, and becomes final some runs later.
  for (let step = 0; step < 12; step += 1) {
    await mint(step + 2)
    await chain.mineEmpty(24)
    await run()
  }
  const times = await timesIn(tableName)
  expect(times.map(([block]) => block)).toEqual([1, BLOCKS_PER_NOTE])
  for (const [block, timestamp] of times) expect(timestamp).toBe((await chain.block(Number(block))).timestamp)
})
