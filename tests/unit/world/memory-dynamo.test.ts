import { type AttributeValue, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '../../../infra/local/database/create-table.ts'
import { createClient } from '../../../lib/store/create-client.ts'
import { LOCAL_ACCESS } from '../../support/store/local-client.ts'
import { type Choices, createMemoryDynamo } from '../../world/dynamo/memory-dynamo.ts'
import { createMemoryRequestHandler } from '../../world/dynamo/memory-request-handler.ts'

const TableName = 'events'

async function setup(choices: Choices = {}) {
  const time = { now: Date.UTC(2026, 0, 1) }
  const dynamo = createMemoryDynamo({ now: () => time.now, choices })
  const client = createClient(LOCAL_ACCESS, createMemoryRequestHandler(dynamo))
  await createTable({ client, tableName: TableName })
  const put = (p: string, more: Record<string, AttributeValue> = {}) =>
    client.send(new PutItemCommand({ TableName, Item: { l: { S: 'list' }, p: { S: p }, ...more } }))
  const get = async (p: string, isConsistent = false) => {
    const Key = { l: { S: 'list' }, p: { S: p } }
    return (await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: isConsistent }))).Item
  }
  const byTransaction = async (hash: string) => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        ...{ TableName, IndexName: 'byTransaction', KeyConditionExpression: 'x = :x' },
        ExpressionAttributeValues: { ':x': { S: hash } },
      }),
    )
    return Items.map(({ p }) => p?.S)
  }
  return { time, dynamo, client, put, get, byTransaction }
}

test('an index receives changes when they are released, in the order of one item', async () => {
  const { dynamo, put, byTransaction } = await setup({ holdsIndexChanges: () => true })

  await put('1', { x: { S: 'before' } })
  await put('2', { x: { S: 'before' } })
  await put('1', { x: { S: 'after' } })
  expect(await byTransaction('before')).toEqual([])

  const [first, second, third] = dynamo.heldIndexChanges(TableName)
  if (!first || !second || !third) throw new Error('Three changes wait')
  dynamo.releaseIndexChange(third)
  expect(await byTransaction('before')).toEqual([])
  expect(await byTransaction('after')).toEqual(['1'])
  expect(dynamo.heldIndexChanges(TableName)).toEqual([second])

  dynamo.releaseIndexChanges()
  expect(await byTransaction('before')).toEqual(['2'])
})
