import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { checkTableFormat } from '../../../lib/store/table-format.ts'

/**
 * Makes sure that a table is there, and of this version's format. Who may not look at it finds out at the first
 * request. Throws `TableFormatError`, and what DynamoDB refuses.
 */
export async function checkTable(client: DynamoDBClient, tableName: string): Promise<void> {
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }))
    if (Table) checkTableFormat(Table)
  } catch (error) {
    if ((error as Error).name !== 'AccessDeniedException') throw error
  }
}
