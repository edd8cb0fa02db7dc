import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '../../../infra/local/database/create-table.ts'
import { createClient } from '../../../lib/store/create-client.ts'
import { LOCAL_ACCESS } from '../../support/store/local-client.ts'
import { createMemoryDynamo } from '../../world/dynamo/memory-dynamo.ts'
import { createMemoryRequestHandler } from '../../world/dynamo/memory-request-handler.ts'

const TableName = 'events'
const keyOf = (p: string) => ({ l: { S: 'list' }, p: { S: p } })

async function setup() {
  const time = { now: Date.UTC(2026, 0, 1) }
  const dynamo = createMemoryDynamo({ now: () => time.now })
  const client = createClient({ ...LOCAL_ACCESS, maxAttempts: 1 }, createMemoryRequestHandler(dynamo))
  await createTable({ client, tableName: TableName })
  const put = (p: string, more: Record<string, AttributeValue> = {}) =>
    client.send(new PutItemCommand({ TableName, Item: { ...keyOf(p), ...more } }))
  const get = async (p: string, isConsistent = false) => {
    const input = { TableName, Key: keyOf(p), ConsistentRead: isConsistent }
    return (await client.send(new GetItemCommand(input))).Item
  }
  return { time, dynamo, client, put, get }
}

test('eventually consistent reads see the chosen earlier state, and consistent reads the latest', async () => {
  let behind = 0
  const { time, dynamo, client, put, get } = await setup()
  dynamo.choices = { changesBehind: () => behind }
  await put('1', { note: { S: 'first' } })
  await put('1', { note: { S: 'second' } })
  time.now += 2000
  await put('2')
  const scan = async (isConsistent: boolean) =>
    (await client.send(new ScanCommand({ TableName, ConsistentRead: isConsistent }))).Count
  const batch = async (isConsistent: boolean) => {
    const Keys = ['1', '2'].map(keyOf)
    const RequestItems = { [TableName]: { Keys, ConsistentRead: isConsistent } }
    return (await client.send(new BatchGetItemCommand({ RequestItems }))).Responses?.[TableName]?.length
  }

  for (const [changes, note, count] of [
    [0, 'second', 2],
    [1, 'second', 1],
    [2, 'first', 1],
    [3, undefined, 0],
  ] as const) {
    behind = changes
    expect((await get('1'))?.note?.S).toBe(note)
    expect((await get('1', true))?.note?.S).toBe('second')
    expect([await scan(false), await scan(true)]).toEqual([count, 2])
    expect([await batch(false), await batch(true)]).toEqual([count, 2])
  }
  dynamo.choices = { changesBehind: ({ changesSince }) => changesSince(time.now - 1000) }
  expect([(await get('1'))?.note?.S, await get('2')]).toEqual(['second', undefined])
})

test('the rest of a batch stays unprocessed, and a batch of which nothing is processed is refused', async () => {
  const { dynamo, client, get } = await setup()
  const requests = ['1', '2', '3'].map(p => ({ PutRequest: { Item: keyOf(p) } }))
  const write = () => client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } }))
  dynamo.choices = { isUnprocessed: at => at > 0 }

  expect((await write()).UnprocessedItems).toEqual({ [TableName]: requests.slice(1) })
  expect([await get('1'), await get('2')]).toEqual([keyOf('1'), undefined])

  const wanted = { Keys: ['1', '2'].map(keyOf), ProjectionExpression: 'p' }
  const { Responses, UnprocessedKeys } = await client.send(
    new BatchGetItemCommand({ RequestItems: { [TableName]: wanted } }),
  )
  expect(Responses).toEqual({ [TableName]: [{ p: { S: '1' } }] })
  expect(UnprocessedKeys).toEqual({ [TableName]: { ...wanted, Keys: [keyOf('2')] } })

  dynamo.choices = { isUnprocessed: () => true }
  await expect(write()).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' })
})

test('expired items stay until time to live deletes them', async () => {
  const { time, dynamo, put, get } = await setup()
  const inSeconds = (seconds: number) => ({ N: String(time.now / 1000 + seconds) })
  await put('1', { expires: inSeconds(10) })
  await put('2', { expires: inSeconds(30) })
  await put('3')
  const deleteExpired = () => dynamo.deleteExpired({ tableName: TableName, attribute: 'expires' })

  time.now += 20_000
  expect(await get('1')).toBeDefined()
  expect([deleteExpired(), deleteExpired()]).toEqual([1, 0])
  const areLeft = ['1', '2', '3'].map(async p => Boolean(await get(p)))
  expect(await Promise.all(areLeft)).toEqual([false, true, true])

  time.now += 6 * 365 * 86_400_000
  expect(deleteExpired()).toBe(0)
})

test('an operation or a parameter that the engine does not know fails loudly', async () => {
  const { dynamo, client } = await setup()

  expect(() => dynamo.execute('TransactWriteItems', {})).toThrow('does not know TransactWriteItems')
  const input = { TableName, Key: keyOf('1'), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const
  await expect(client.send(new UpdateItemCommand(input))).rejects.toThrow(
    'The DynamoDB in memory does not know ReturnValuesOnConditionCheckFailure of UpdateItem',
  )
})
