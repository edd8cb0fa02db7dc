import { GetItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '../../../infra/local/database/create-table.ts'
import { createClient } from '../../../lib/store/create-client.ts'
import { LOCAL_ACCESS } from '../../support/store/local-client.ts'
import { createMemoryDynamo } from '../../world/dynamo/memory-dynamo.ts'
import { createMemoryRequestHandler } from '../../world/dynamo/memory-request-handler.ts'

const TableName = 'events'
const Key = { l: { S: 'list' }, p: { S: '1' } }

async function setup() {
  const time = { now: Date.UTC(2026, 0, 1) }
  const dynamo = createMemoryDynamo({ now: () => time.now })
  const client = createClient({ ...LOCAL_ACCESS, maxAttempts: 1 }, createMemoryRequestHandler(dynamo))
  await createTable({ client, tableName: TableName })
  return { time, dynamo, client }
}

test('eventually consistent reads see the chosen earlier state, and consistent reads the latest', async () => {
  const { time, dynamo, client } = await setup()
  for (const note of ['first', 'second']) {
    await client.send(new PutItemCommand({ TableName, Item: { ...Key, note: { S: note } } }))
    time.now += 2000
  }
  const seen = async (ConsistentRead = false) =>
    (await client.send(new GetItemCommand({ TableName, Key, ConsistentRead }))).Item?.note?.S

  for (const [changes, note] of [
    [0, 'second'],
    [1, 'first'],
    [2, undefined],
  ] as const) {
    dynamo.choices = { changesBehind: () => changes }
    expect([await seen(), await seen(true)]).toEqual([note, 'second'])
  }
  dynamo.choices = { changesBehind: ({ changesSince }) => changesSince(time.now - 3000) }
  expect(await seen()).toBe('first')
})

test('an operation or a parameter that the engine does not know fails loudly', async () => {
  const { dynamo, client } = await setup()

  expect(() => dynamo.execute('TransactWriteItems', {})).toThrow('does not know TransactWriteItems')
  const input = { TableName, Key, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const
  await expect(client.send(new UpdateItemCommand(input))).rejects.toThrow(
    'The DynamoDB in memory does not know ReturnValuesOnConditionCheckFailure of UpdateItem',
  )
})
