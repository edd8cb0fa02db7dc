import {
  CreateTableCommand,
  DescribeTableCommand,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import { createTable } from '../../../infra/local/database/create-table.ts'
import { LIST_KEY, PLACE_KEY } from '../../../lib/store/format/keys.ts'
import { useEngine } from '../../support/store/engine.ts'

const engine = useEngine()

test('can be asked for several times at once, and leaves a table that is already there as it is', async () => {
  const tableName = `at-once-${process.pid}`
  const create = () => createTable({ client: engine.client, tableName })
  await Promise.all([create(), create(), create()])
  const Key = { [LIST_KEY]: { S: 'all@base' }, [PLACE_KEY]: { S: '1' } }
  await engine.client.send(
    new PutItemCommand({ TableName: tableName, Item: { ...Key, note: { S: 'kept' } } }),
  )

  await create()

  const { Item } = await engine.client.send(new GetItemCommand({ TableName: tableName, Key }))
  expect(Item?.note).toEqual({ S: 'kept' })
  const { Table } = await engine.client.send(new DescribeTableCommand({ TableName: tableName }))
  expect(Table?.TableStatus).toBe('ACTIVE')
})

test('refuses a table of that name with other keys, and says which', async () => {
  const tableName = `foreign-${process.pid}`
  await engine.client.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  )

  await expect(createTable({ client: engine.client, tableName })).rejects.toThrow(
    `The table ${tableName} has other keys or indexes, because another version or another program created it: it has table(id:S), but must have table(l:S, p:S), byBlock(b:N, p:S) ALL, byToken(t:S, p:S) ALL, byTransaction(x:S, p:S) ALL, byUser(u:S, p:S) ALL`,
  )
})
