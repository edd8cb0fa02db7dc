import { DeleteCommand, DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { EventRecord } from '../../../lib/events/record.ts'
import type { ItemProblem } from '../../../lib/ingest/verify/compare-items.ts'
import { verifyTable } from '../../../lib/ingest/verify/verify-table.ts'
import { type Item, itemsOf } from '../../../lib/store/item.ts'
import { writeEvents } from '../../../lib/store/write-events.ts'
import { knowNodeErrors } from '../../support/programs/know-node-errors.ts'
import { eventSetOf } from '../../support/records/arbitrary-records.ts'
import { longBatch, makeEvent } from '../../support/records/make-event.ts'
import { useEngine } from '../../support/store/engine.ts'

knowNodeErrors()
const engine = useEngine()

const [first, second, ...rest] = eventSetOf({ blocks: 3, events: 2 }, 11) as [
  EventRecord,
  EventRecord,
  ...EventRecord[],
]
/** A batch so large that its ids are kept in chunks, in a block of its own before all others. */
const large = makeEvent('MintedBatch', {
  network: 'polygon',
  blockNumber: 1,
  createdAt: '2001-01-01T00:00:00.000Z',
  ...longBatch(500),
})
const RECORDS = [first, second, ...rest, large]

async function setup() {
  const tableName = await engine.createEventsTable()
  const { client } = engine
  await writeEvents({ client, tableName }, RECORDS)
  return {
    documents: DynamoDBDocumentClient.from(client),
    tableName,
    async verify() {
      const problems: ItemProblem[] = []
      const summary = await verifyTable({ client, tableName, onProblem: problem => problems.push(problem) })
      expect(summary.problems).toBe(problems.length)
      return { ...summary, problems }
    },
  }
}

test('finds nothing wrong with a table that this service has written', async () => {
  const { verify } = await setup()

  const items = RECORDS.map(itemsOf).flatMap(({ chunks, entries }) => [...chunks, ...entries])
  expect(await verify()).toEqual({ events: RECORDS.length, items: items.length, problems: [] })
})

const keyOf = ({ list, place }: Item) => ({ list, place })
const entryOf = (record: EventRecord, index: number) => itemsOf(record).entries[index] as Item
const chunkOf = (record: EventRecord) => itemsOf(record).chunks[0] as Item

interface Damage {
  documents: DynamoDBDocumentClient
  tableName: string
}

const remove =
  (item: Item) =>
  ({ documents, tableName }: Damage) =>
    documents.send(new DeleteCommand({ TableName: tableName, Key: keyOf(item) }))

const put =
  (Item: Item) =>
  ({ documents, tableName }: Damage) =>
    documents.send(new PutCommand({ TableName: tableName, Item }))

const set =
  (item: Item, name: string, value: unknown) =>
  ({ documents, tableName }: Damage) =>
    documents.send(
      new UpdateCommand({
        TableName: tableName,
        Key: keyOf(item),
        UpdateExpression: 'SET #name = :value',
        ExpressionAttributeNames: { '#name': name },
        ExpressionAttributeValues: { ':value': value },
      }),
    )

const otherHash = `0x${'ef'.repeat(32)}`

test.each<[string, (damage: Damage) => Promise<unknown>, Partial<ItemProblem>]>([
  [
    'an event that is missing from a list',
    remove(entryOf(first, 2)),
    { ...keyOf(entryOf(first, 2)), message: 'is missing' } as ItemProblem,
  ],
  [
    'a list with an event that is missing from the list of all',
    remove(entryOf(first, 0)),
    { message: 'belongs to no event in the list of all' },
  ],
  [
    'a copy that differs',
    set(entryOf(first, 3), 'logIndex', 77),
    { message: expect.stringContaining('should be') },
  ],
  [
    'an event in a list that is none of its own',
    put({ ...entryOf(first, 2), list: `user#0x${'77'.repeat(20)}@${first.network}` }),
    { message: 'belongs to no event in the list of all' },
  ],
  [
    'an index key that is not that of the list',
    set(entryOf(first, 2), 'tokenList', 'token#0x00'),
    { message: expect.stringContaining('should be') },
  ],
  ['a missing chunk', remove(chunkOf(large)), { message: expect.stringContaining('A chunk is missing') }],
  ['a wrong size', set(entryOf(large, 1), 'bytes', 1), { message: expect.stringContaining('should be') }],
  [
    'an event at another place than its own',
    put({ ...entryOf(first, 0), place: '0' }),
    { message: expect.stringContaining('The place is not that of the record') },
  ],
  [
    'a field that no record has',
    set(entryOf(first, 0), 'extra', 1),
    { message: expect.stringContaining('does not fit the record model') },
  ],
  [
    'a checkpoint that is none',
    put({ list: 'checkpoints', place: 'base', fence: 'one' }),
    { list: 'checkpoints', place: 'base', message: expect.stringContaining('is malformed') },
  ],
  [
    'an item of no known kind',
    put({ list: 'notes', place: '1' }),
    { list: 'notes', message: 'belongs to no event in the list of all' },
  ],
  [
    'an event of a block that is not the one on the chain',
    put({
      list: `blocks@${first.network}`,
      place: `${String(first.blockNumber).padStart(12, '0')}#${otherHash}`,
      blockNumber: first.blockNumber,
      blockHash: otherHash,
      parentHash: otherHash,
      timestamp: 1,
      chunkLists: [],
    }),
    { message: expect.stringContaining('which is not on the chain') },
  ],
])('tells of %s', async (_, damage, problem) => {
  const { documents, tableName, verify } = await setup()

  await damage({ documents, tableName })

  const { problems } = await verify()
  expect(problems).toContainEqual(expect.objectContaining(problem))
})

test('tells of events that break an invariant', async () => {
  const { tableName, verify } = await setup()
  const orphan: EventRecord = {
    ...first,
    blockHash: otherHash,
    logIndex: first.logIndex + 1000,
    id: `${first.network}:${first.transactionHash}:${first.logIndex + 1000}`,
  }
  await writeEvents({ client: engine.client, tableName }, [orphan])

  const { problems } = await verify()

  expect(problems).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(`block ${first.blockNumber} was seen with the hash`),
    }),
  ])
})
