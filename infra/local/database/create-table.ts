import { setTimeout as delay } from 'node:timers/promises'
import {
  CreateTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb'
import {
  describeTable,
  readTableDefinition,
  type TableDefinition,
  tableKeys,
} from '../../deploy/read-table-definition.ts'

const CREATION_TIMEOUT_MS = 60_000
const MAX_POLL_MS = 1000

/** Resolves when the table is active. Leaves an existing table unchanged, but throws if its keys or indexes differ. */
export async function createTable({ client, tableName }: { client: DynamoDBClient; tableName: string }) {
  const definition = readTableDefinition()
  if (!(await describeTable(client, tableName))) await create(client, tableName, definition)
  const table = await waitUntilActive(client, tableName)
  const wanted = tableKeys(definition)
  const found = tableKeys(table)
  if (wanted.join() !== found.join()) {
    throw new Error(
      `The table ${tableName} has other keys or indexes, because another version or another program created it: it has ${found.join(', ')}, but must have ${wanted.join(', ')}`,
    )
  }
}

async function create(client: DynamoDBClient, tableName: string, definition: TableDefinition) {
  try {
    await client.send(new CreateTableCommand({ TableName: tableName, ...definition }))
  } catch (error) {
    // If another process has created the table first, `createTable` checks the keys of that table.
    if (!(error instanceof ResourceInUseException)) throw error
  }
}

async function waitUntilActive(client: DynamoDBClient, tableName: string): Promise<TableDescription> {
  const deadline = Date.now() + CREATION_TIMEOUT_MS
  for (let waitMs = 10; Date.now() < deadline; waitMs = Math.min(waitMs * 2, MAX_POLL_MS)) {
    const table = await describeTable(client, tableName)
    if (table?.TableStatus === 'ACTIVE') return table
    await delay(waitMs)
  }
  throw new Error(
    `The table ${tableName} was not ready within ${CREATION_TIMEOUT_MS / 1000} seconds. Run the same command again`,
  )
}
