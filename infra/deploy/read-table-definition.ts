import { readFileSync } from 'node:fs'
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import { parse } from 'yaml'
import * as z from 'zod/mini'

const TEMPLATE = new URL('table.yml', import.meta.url)

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }))

/** What CreateTable takes of the resource; backups, encryption and protection mean nothing to a local engine. */
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

const template = z.object({
  Resources: z.object({ EventsTable: z.object({ Properties: tableProperties }) }),
})

export type TableDefinition = Omit<CreateTableCommandInput, 'TableName'> & z.infer<typeof tableProperties>

/** The keys and indexes of the table, read from the CloudFormation resource that is deployed. */
export function readTableDefinition(): TableDefinition {
  return template.parse(parse(readFileSync(TEMPLATE, 'utf8'))).Resources.EventsTable.Properties
}
