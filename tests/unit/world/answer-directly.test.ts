import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { createTable } from '../../../infra/local/database/create-table.ts'
import { withSignal } from '../../../lib/store/call-signal.ts'
import { createClient } from '../../../lib/store/create-client.ts'
import { LOCAL_ACCESS } from '../../support/store/local-client.ts'
import { answerDirectly, createDirectHandler } from '../../world/dynamo/answer-directly.ts'
import { refusal } from '../../world/dynamo/dynamo-error.ts'
import { createMemoryDynamo, type MemoryDynamo } from '../../world/dynamo/memory-dynamo.ts'

const TableName = 'events'
const Key = { l: { S: 'list' }, p: { S: '1' } }
const directClient = (dynamo: Pick<MemoryDynamo, 'execute'>) =>
  answerDirectly(createClient(LOCAL_ACCESS, createDirectHandler(dynamo)))

test("a client without HTTP has the SDK's retries", async () => {
  const dynamo = createMemoryDynamo({ now: () => 0 })
  const calls: string[] = []
  const execute: MemoryDynamo['execute'] = (operation, input) => {
    calls.push(operation)
    if (calls.length < 3) throw refusal('InternalServerError')
    return dynamo.execute(operation, input)
  }
  const client = directClient({ execute })
  await createTable({ client: directClient(dynamo), tableName: TableName })

  const { $metadata } = await client.send(new PutItemCommand({ TableName, Item: Key }))

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
