import { type DynamoDBClient, ThrottlingException } from '@aws-sdk/client-dynamodb'
import { recordForm } from '../../../lib/store/writing/record-form.ts'

test('a writer begins although the table is too busy for the first reads', async () => {
  const busy = new ThrottlingException({ message: 'Rate of requests exceeds the limit', $metadata: {} })
  let reads = 0
  const send = async () => {
    reads += 1
    if (reads < 3) throw busy
    return { Item: { networks: { S: 'base' } } }
  }
  const client = { send } as unknown as DynamoDBClient
  await recordForm({ client, tableName: 'events', networks: ['base'] })
  expect(reads).toBe(3)
})
