import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { checkTableFormat } from '../../../lib/store/table-format.ts'

/**
 * Makes sure that a table is there, and of this version's format. Who may not look at it finds out at the first
 * request. Throws `TableFormatError`, and what DynamoDB refuses.
 */
export async function checkTable(
  client: DynamoDBClient,
  tableName: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  try {
    const command = new DescribeTableCommand({ TableName: tableName })
    const { Table } = await client.send(command, signal && { abortSignal: signal })
    if (Table) checkTableFormat(Table)
  } catch (error) {
    if ((error as Error).name !== 'AccessDeniedException') throw error
  }
}
