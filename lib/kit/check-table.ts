import { DescribeTableCommand, type DynamoDBClient, type TableDescription } from '@aws-sdk/client-dynamodb'
import type { Network } from '../events/networks.ts'
import { networksIn, requireForm } from '../store/format/table-form.ts'
import { checkTableFormat } from '../store/format/table-format.ts'
import { readForm, recordForm } from '../store/writing/record-form.ts'
import type { WantedNetworks } from './networks-option.ts'

/** Thrown if a server other than DynamoDB answers in a form that the SDK accepts. */
export class NotDynamoDbError extends Error {
  override readonly name = 'NotDynamoDbError'
}

/**
 * Throws `NotDynamoDbError` if the answer does not describe a table, for example because it is JSON from a chain's
 * node.
 */
export async function describedTable(
  client: DynamoDBClient,
  tableName: string,
  signal?: AbortSignal,
): Promise<TableDescription> {
  const command = new DescribeTableCommand({ TableName: tableName })
  const { Table } = await client.send(command, signal && { abortSignal: signal })
  if (!Table) throw new NotDynamoDbError('The answer describes no table')
  return Table
}

/**
 * Without permission to describe the table, checks nothing. Throws `TableFormatError`, `NotDynamoDbError` and
 * DynamoDB's own errors.
 */
export async function checkTable(client: DynamoDBClient, tableName: string, signal?: AbortSignal) {
  try {
    checkTableFormat(await describedTable(client, tableName, signal))
  } catch (error) {
    if ((error as Error).name !== 'AccessDeniedException') throw error
  }
}

interface TableChecks {
  signal?: AbortSignal | undefined
  /** The networks that the table must have. By default, the networks recorded in the table. */
  networks?: WantedNetworks | undefined
}

/** Like `checkTable`. Resolves with the table's networks (undefined for all), or throws `OtherNetworksError`. */
export async function checkTableToRead(
  client: DynamoDBClient,
  tableName: string,
  { networks, signal }: TableChecks = {},
): Promise<readonly Network[] | undefined> {
  await checkTable(client, tableName, signal)
  const form = await readForm({ client, tableName }, signal)
  if (networks) requireForm(form, { client, tableName, networks: networks.of }, { isOneEnough: true })
  return networksIn(form)
}

/**
 * Checks the table as `checkTableToRead` does, and records `networks` in a table without events. Without `networks`,
 * records nothing, so a new table is for all networks. Until an indexer records this, readers and writers that are
 * configured for only one network can use the table, too.
 */
export async function checkTableToWrite(
  client: DynamoDBClient,
  tableName: string,
  { networks, signal }: TableChecks = {},
): Promise<readonly Network[] | undefined> {
  if (!networks) return checkTableToRead(client, tableName, { signal })
  await checkTable(client, tableName, signal)
  return recordForm({ client, tableName, networks: networks.of }, signal, { isOneEnough: true })
}
