import type { TableDescription } from '@aws-sdk/client-dynamodb'
import type { TableDefinition } from './read-table-definition.ts'

/** The table's keys, then those of each index by name, such as `byUser(userList:S, place:S) ALL`. */
export function tableKeys(table: TableDefinition | TableDescription): string[] {
  const types = new Map(table.AttributeDefinitions?.map(each => [each.AttributeName, each.AttributeType]))
  const keys = (schema: TableDescription['KeySchema'] = []) =>
    schema.map(key => `${key.AttributeName}:${types.get(key.AttributeName)}`).join(', ')
  const indexes = (table.GlobalSecondaryIndexes ?? []).map(
    index => `${index.IndexName}(${keys(index.KeySchema)}) ${index.Projection?.ProjectionType}`,
  )
  return [`table(${keys(table.KeySchema)})`, ...indexes.sort()]
}
