import {
  DescribeContinuousBackupsCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ListTagsOfResourceCommand,
  type TableDescription,
  type Tag,
} from '@aws-sdk/client-dynamodb'
import { type FoundTable, findTableProblems, tableCommand, type WantedTable } from './find-table-problems.ts'
import { describeTable } from './read-table-definition.ts'
import type { Template } from './template.ts'

export interface TableToUse extends WantedTable {
  tableAdopted: boolean
}

/** Explains why a stage's table cannot be used or created, and what to do. Undefined if there is no problem. */
export async function findUnusableTable(
  client: DynamoDBClient,
  wanted: TableToUse,
  deployed: Template | undefined,
): Promise<string | undefined> {
  const { tableName, tableAdopted } = wanted
  const { EventsTable, ...others } = deployed?.Resources ?? {}
  if (EventsTable && !tableAdopted) return undefined
  const table = await describeTable(client, tableName)
  if (!tableAdopted) {
    const isAdopted = JSON.stringify(others).includes(`"EVENTS_TABLE":"${tableName}"`)
    if (table && isAdopted)
      return `The stack uses the table ${tableName}, which it did not create: write "tableAdopted: true" into the settings of the stage.`
    return table && explainTableInTheWay(table)
  }
  if (!table) return `There is no table ${tableName} to adopt: check tableName, the account and the region`
  const problems = findTableProblems(await readFound(client, table), wanted)
  if (problems.length === 0) return undefined
  return [
    `The table ${tableName} cannot be adopted in its current state:`,
    ...problems.map(each => `  ${each}`),
  ].join('\n')
}

function explainTableInTheWay(table: TableDescription): string {
  return [
    `A table ${table.TableName} already exists, although this stack did not create it: an earlier stack left it behind, or it was restored.`,
    'To use this table and its events, write "tableAdopted: true" into the settings of the stage.',
    `To begin with a new table instead, delete the existing one: ${tableCommand(table, 'update-table')} --no-deletion-protection-enabled && ${tableCommand(table, 'delete-table')}`,
  ].join('\n')
}

/** Reads a table's backup settings, time to live and tags, which DescribeTable does not return. */
async function readFound(client: DynamoDBClient, table: TableDescription): Promise<FoundTable> {
  const { TableName, TableArn } = table
  const [{ ContinuousBackupsDescription: backups }, { TimeToLiveDescription: timeToLive }, tags] =
    await Promise.all([
      client.send(new DescribeContinuousBackupsCommand({ TableName })),
      client.send(new DescribeTimeToLiveCommand({ TableName })),
      listTags(client, TableArn),
    ])
  return { table, backups, timeToLive, tags }
}

async function listTags(client: DynamoDBClient, ResourceArn: string | undefined): Promise<Tag[]> {
  const tags: Tag[] = []
  let NextToken: string | undefined
  do {
    const page = await client.send(new ListTagsOfResourceCommand({ ResourceArn, NextToken }))
    tags.push(...(page.Tags ?? []))
    ;({ NextToken } = page)
  } while (NextToken)
  return tags
}
