import { readFileSync } from 'node:fs'
import {
  type CreateTableCommandInput,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb'
import { parse } from 'yaml'
import * as z from 'zod/mini'
import { describedTable } from '../../lib/kit/check-table.ts'

const TEMPLATE = new URL('table.yml', import.meta.url)

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }))

/** The properties that a local table needs. The others, such as backups and limits, matter only in AWS. */
const tableProperties = z.object({
  BillingMode: z.literal('PAY_PER_REQUEST'),
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z.array(
    z.object({
      IndexName: z.string(),
      KeySchema: keySchema,
      Projection: z.object({ ProjectionType: z.literal('ALL') }),
    }),
  ),
})

const template = z.object({ Resources: z.object({ EventsTable: z.object({ Properties: tableProperties }) }) })

export type TableDefinition = Omit<CreateTableCommandInput, 'TableName'> & z.infer<typeof tableProperties>

export function readTableDefinition(): TableDefinition {
  return template.parse(parse(readFileSync(TEMPLATE, 'utf8'))).Resources.EventsTable.Properties
}

/** Returns the table's keys, followed by each index with its keys, such as `byUser(u:S, p:S) ALL`. */
export function tableKeys(table: TableDefinition | TableDescription): string[] {
  const types = new Map(table.AttributeDefinitions?.map(each => [each.AttributeName, each.AttributeType]))
  const keys = (schema: TableDescription['KeySchema'] = []) =>
    schema.map(key => `${key.AttributeName}:${types.get(key.AttributeName)}`).join(', ')
  const indexes = (table.GlobalSecondaryIndexes ?? []).map(
    index => `${index.IndexName}(${keys(index.KeySchema)}) ${index.Projection?.ProjectionType}`,
  )
  return [`table(${keys(table.KeySchema)})`, ...indexes.sort()]
}

/** Undefined if no table has this name. Throws `NotDynamoDbError`. */
export async function describeTable(
  client: DynamoDBClient,
  tableName: string,
): Promise<TableDescription | undefined> {
  try {
    return await describedTable(client, tableName)
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined
    throw error
  }
}
