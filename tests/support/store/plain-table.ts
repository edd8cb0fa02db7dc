import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { describeTable, readTableDefinition } from '../../../infra/deploy/read-table-definition.ts'
import { usersOf } from '../../../lib/events/lists.ts'
import { placeOf } from '../../../lib/events/place.ts'
import type { EventRecord } from '../../../lib/events/record.ts'
import { cutBatches } from '../../../lib/store/event-table.ts'
import { MAX_BATCH_ITEMS } from '../../../lib/store/writing/put-items.ts'
import { until } from '../runner/until.ts'

/** The plain format's names of the table's keys. */
const KEYS: Record<string, string> = {
  ...{ l: 'list', p: 'place' },
  ...{ u: 'userList', t: 'tokenList', x: 'transactionKey', b: 'blockKey' },
}

/**
 * Creates a table in the plain format of version 0.1.0, in which each field of a record is an attribute with its full
 * name. The table contains the list of all events and the lists of users.
 */
export async function createPlainTable(
  { client, tableName }: { client: DynamoDBClient; tableName: string },
  records: readonly EventRecord[],
): Promise<void> {
  const definition = JSON.stringify(readTableDefinition(), (name, value) =>
    name === 'AttributeName' ? KEYS[value] : value,
  )
  await client.send(new CreateTableCommand({ ...JSON.parse(definition), TableName: tableName }))
  await until(async () => (await describeTable(client, tableName))?.TableStatus === 'ACTIVE')
  const documents = DynamoDBDocumentClient.from(client)
  for (const batch of cutBatches(records.flatMap(plainItems), MAX_BATCH_ITEMS)) {
    const puts = batch.map(Item => ({ PutRequest: { Item } }))
    await documents.send(new BatchWriteCommand({ RequestItems: { [tableName]: puts } }))
  }
}

function plainItems(record: EventRecord) {
  const { id: _, ...fields } = record
  const { network, transactionHash, blockNumber } = record
  const item = { place: placeOf(record), ...fields }
  return [
    { list: `all@${network}`, transactionKey: transactionHash, blockKey: blockNumber, ...item },
    ...usersOf(record).map(user => ({ list: `user#${user}@${network}`, userList: `user#${user}`, ...item })),
  ]
}
