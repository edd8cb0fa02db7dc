import type { TableDescription } from '@aws-sdk/client-dynamodb'
import { INDEXES, LIST_KEY, PLACE_KEY } from './keys.ts'

export class TableFormatError extends Error {
  override readonly name = 'TableFormatError'
  readonly code = 'table-format'

  constructor({ tableName, cause }: { tableName?: string | undefined; cause?: unknown } = {}) {
    super(
      `The table${tableName === undefined ? '' : ` ${tableName}`} has keys that differ from those of this version, because an earlier version or another program created it. Create a new table, and load the events into it`,
      { cause },
    )
  }
}

/** Throws `TableFormatError` if a key differs from this version's keys, or if an index is missing. */
export function checkTableFormat({ TableName, KeySchema, GlobalSecondaryIndexes }: TableDescription): void {
  const namesOf = (schema: TableDescription['KeySchema']) => schema?.map(key => key.AttributeName).join(' ')
  const indexes = new Map(GlobalSecondaryIndexes?.map(each => [each.IndexName, namesOf(each.KeySchema)]))
  const isOurs =
    namesOf(KeySchema) === `${LIST_KEY} ${PLACE_KEY}` &&
    Object.values(INDEXES).every(({ name, key }) => indexes.get(name) === `${key} ${PLACE_KEY}`)
  if (!isOurs) throw new TableFormatError({ tableName: TableName })
}

/** Matches the messages of DynamoDB and DynamoDB Local about a request whose keys the table does not have. */
const OTHER_KEYS =
  /missed key schema element|does not match the schema|missing the key|required keys was not given/i

/** Whether DynamoDB rejected a request because the table's keys differ from the request's keys. */
export const isOfOtherKeys = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ValidationException' && OTHER_KEYS.test(error.message)
