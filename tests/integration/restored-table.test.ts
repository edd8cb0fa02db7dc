import { BatchWriteItemCommand, paginateScan } from '@aws-sdk/client-dynamodb'
import { createTable } from '../../infra/local/database/create-table.ts'
import { compareTables } from '../../infra/operate/restore/compare-tables.ts'
import { activity } from '../../infra/recording/activity.ts'
import { cutBatches } from '../../lib/store/event-table.ts'
import { createDynamoEventStore } from '../../lib/store/reading/dynamo-event-store.ts'
import { MAX_BATCH_ITEMS } from '../../lib/store/writing/put-items.ts'
import { recordForm } from '../../lib/store/writing/record-form.ts'
import { useChain } from '../support/chain/chain.ts'
import { chainEvents } from '../support/chain/chain-truth.ts'
import { indexChain } from '../support/chain/index-chain.ts'
import { lambdaContext } from '../support/http/http-events.ts'
import { queryFunction } from '../support/http/query-functions.ts'
import { useEngine } from '../support/store/engine.ts'
import { readIndexedTable } from '../support/store/indexed-table.ts'
import { itemsOfAll } from '../support/store/stored-items.ts'

/** Tests the cut-over of infra/operating.md, "Restore", as far as an engine without backups allows. */
const engine = useEngine()
const PAGE = 5

const chain = useChain()
beforeAll(async () => {
  await mineRound(0)
})

async function mineRound(round: number) {
  for (const calls of activity(chain.users, round)) await chain.mine(calls)
}

const index = (tableName: string) =>
  indexChain({ endpoint: engine.endpoint, tableName, network: 'polygon', rpcUrls: [chain.rpcUrl] })

/** A restore creates a table with the same items and another name. */
async function restore(tableName: string): Promise<string> {
  const restored = await engine.createEventsTable()
  for await (const { Items = [] } of paginateScan({ client: engine.client }, { TableName: tableName })) {
    for (const items of cutBatches(Items, MAX_BATCH_ITEMS)) {
      const requests = items.map(Item => ({ PutRequest: { Item } }))
      await engine.client.send(new BatchWriteItemCommand({ RequestItems: { [restored]: requests } }))
    }
  }
  return restored
}

/** The oldest events, from a deployment that reads the given table. */
async function readPage(tableName: string, cursor?: string) {
  const store = createDynamoEventStore({ client: engine.reader, tableName })
  const query = { createdAt: 'asc', limit: PAGE, ...(cursor && { cursor }) }
  return (await queryFunction('token-events', { store })({ query }, lambdaContext())) as {
    events: { id: string }[]
    next: string | null
  }
}

test('a restored table is put into service: the indexer catches up, and readers go on where they were', async () => {
  const damaged = await engine.createEventsTable()
  await index(damaged)
  const first = await readPage(damaged)
  const restored = await restore(damaged)
  // Writes continue until an operator notices the damage.
  await mineRound(1)
  await index(damaged)

  // Throws if the keys or the indexes differ from those of the deployed table.
  await createTable({ client: engine.client, tableName: restored })
  expect((await readIndexedTable(engine.client, restored, 'polygon')).events.length).toBeLessThan(
    (await readIndexedTable(engine.client, damaged, 'polygon')).events.length,
  )

  const head = await chain.head()
  const move = { used: damaged, target: restored }
  expect(await compareTables(engine.client, move)).toEqual([
    expect.stringMatching(
      new RegExp(
        `^polygon is indexed to block ${head} in ${damaged}, but only to block \\d+ in ${restored}$`,
      ),
    ),
    expect.stringContaining(`npm run index -- --network polygon --rpc URL --table ${restored}`),
  ])

  await index(restored)

  expect(await compareTables(engine.client, move)).toEqual([])
  const truth = await chainEvents(chain, 'polygon')
  const { events, checkpoint } = await readIndexedTable(engine.client, restored, 'polygon')
  expect(events).toEqual(itemsOfAll(truth))
  expect(checkpoint).toMatchObject({ blockNumber: await chain.head() })
  const walked = first.events.map(({ id }) => id)
  for (let cursor = first.next; cursor; ) {
    const page = await readPage(restored, cursor)
    walked.push(...page.events.map(({ id }) => id))
    cursor = page.next
  }
  expect(walked.sort()).toEqual(truth.map(({ id }) => id).sort())
})

test('a table of other networks, without a network, or that does not exist is noticed before the move', async () => {
  const used = await engine.createEventsTable()
  await index(used)
  const target = await engine.createEventsTable()
  await recordForm({ client: engine.client, tableName: target, networks: ['base'] })

  expect(await compareTables(engine.client, { used, target })).toEqual([
    `${target} stores base, but ${used} stores all: set networks to base`,
    expect.stringMatching(/^polygon is indexed to block \d+ in .+, but not at all in /),
    expect.stringContaining('npm run index'),
  ])
  expect(await compareTables(engine.client, { used, target: 'missing' })).toEqual([
    `missing and ${used} could not be compared: There is no table missing at AWS`,
  ])
})
