import { DynamoDBClient, ThrottlingException } from '@aws-sdk/client-dynamodb'
import { jest } from '@jest/globals'
import { recordForm } from '../../../lib/store/writing/record-form.ts'

test('a writer begins although the table is too busy for the first reads', async () => {
  const client = new DynamoDBClient({ region: 'eu-central-1' })
  const busy = new ThrottlingException({ message: 'Rate of requests exceeds the limit', $metadata: {} })
  const form = { Item: { networks: { S: 'base' } } }
  const send = jest.spyOn(client, 'send') as unknown as jest.Mock<() => Promise<unknown>>
  send.mockRejectedValueOnce(busy).mockRejectedValueOnce(busy).mockResolvedValue(form)
  // Without a pause between the attempts.
  jest.spyOn(Math, 'random').mockReturnValue(0)
  await expect(recordForm({ client, tableName: 'events', networks: ['base'] })).resolves.toBeUndefined()
  expect(send).toHaveBeenCalledTimes(3)
})
