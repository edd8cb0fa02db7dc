import {
  BatchWriteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { BatchGetCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { createTable } from '../../../infra/local/database/create-table.ts'
import { withSignal } from '../../../lib/store/call-signal.ts'
import { createClient } from '../../../lib/store/create-client.ts'
import { LOCAL_ACCESS } from '../../support/store/local-client.ts'
import { answerDirectly, createDirectHandler } from '../../world/dynamo/answer-directly.ts'
import { refusal } from '../../world/dynamo/dynamo-error.ts'
import { createMemoryDynamo, type MemoryDynamo } from '../../world/dynamo/memory-dynamo.ts'
import { createMemoryRequestHandler } from '../../world/dynamo/memory-request-handler.ts'

const TableName = 'events'
const Key = { l: { S: 'list' }, p: { S: '1' } }
const Item = { ...Key, x: { S: 'x' }, d: { B: Uint8Array.of(1, 2, 255) }, n: { N: '7' } }
const CONDITION = { ConditionExpression: 'attribute_not_exists(l)' }

const newDynamo = () => createMemoryDynamo({ now: () => 0 })
const httpClient = (dynamo: Pick<MemoryDynamo, 'execute'>) =>
  createClient(LOCAL_ACCESS, createMemoryRequestHandler(dynamo))
const directClient = (dynamo: Pick<MemoryDynamo, 'execute'>) =>
  answerDirectly(createClient(LOCAL_ACCESS, createDirectHandler(dynamo)))

async function outcomesOf(client: DynamoDBClient): Promise<unknown[]> {
  await createTable({ client, tableName: TableName })
  // The document client refuses clients that cache.
  client.config.cacheMiddleware = false
  const documents = DynamoDBDocumentClient.from(client)
  const bytes = Uint8Array.of(9)
  const Keys = [{ l: 'list', p: '2' }]
  const calls = [
    () => client.send(new PutItemCommand({ TableName, Item })),
    () => client.send(new PutItemCommand({ TableName, Item, ...CONDITION })),
    () => documents.send(new PutCommand({ TableName, Item: { l: 'list', p: '2', bytes, none: undefined } })),
    () => documents.send(new PutCommand({ TableName, Item: { l: 'list', p: '2' }, ...CONDITION })),
    () => documents.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys } } })),
    () => client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true })),
    () => client.send(new ScanCommand({ TableName, ConsistentRead: true, Limit: 1 })),
    () =>
      client.send(
        new QueryCommand({
          ...{ TableName, KeyConditionExpression: 'l = :l AND p BETWEEN :a AND :b' },
          ExpressionAttributeValues: { ':l': { S: 'list' }, ':a': { S: '2' }, ':b': { S: '1' } },
        }),
      ),
    () => client.send(new UpdateItemCommand({ TableName, Key, UpdateExpression: 'SET #' })),
    () =>
      client.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: [{ DeleteRequest: { Key } }] } })),
    () => client.send(new GetItemCommand({ TableName: 'other', Key })),
  ]
  const outcomes: unknown[] = []
  for (const call of calls) outcomes.push(await (call as () => Promise<object>)().then(plain, plain))
  return outcomes
}

/** Leaves out the fields that only HTTP has. */
const plain = (outcome: object) => {
  const { $metadata, ...fields } = outcome as { $metadata: Record<string, unknown> }
  const { httpStatusCode: _, ...metadata } = $metadata
  const { message } = outcome as Error
  return { name: outcome.constructor.name, message, ...fields, $metadata: metadata }
}

test('a client without HTTP gives the answers and the errors of one with HTTP', async () => {
  const expected = await outcomesOf(httpClient(newDynamo()))

  expect(await outcomesOf(directClient(newDynamo()))).toEqual(expected)
  expect(expected).toContainEqual(expect.objectContaining({ name: 'ConditionalCheckFailedException' }))
})

test("a client without HTTP has the SDK's retries", async () => {
  const dynamo = newDynamo()
  const calls: string[] = []
  const execute: MemoryDynamo['execute'] = (operation, input) => {
    calls.push(operation)
    if (calls.length < 3) throw refusal('InternalServerError')
    return dynamo.execute(operation, input)
  }
  const client = directClient({ execute })
  await createTable({ client: directClient(dynamo), tableName: TableName })

  const { $metadata } = await client.send(new PutItemCommand({ TableName, Item }))

  expect(calls).toEqual(['PutItem', 'PutItem', 'PutItem'])
  expect($metadata.attempts).toBe(3)
})

test('a client without HTTP gives up a call when the signal aborts', async () => {
  const limit = new AbortController()
  const execute = () => {
    setImmediate(() => limit.abort())
    return new Promise<never>(() => undefined)
  }
  const client = directClient({ execute })
  const get = new GetItemCommand({ TableName, Key })

  const call = withSignal({ client, abortSignal: limit.signal }, () => client.send(get))

  await expect(call).rejects.toThrow('Request aborted')
})
