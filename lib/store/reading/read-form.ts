import { GetItemCommand } from '@aws-sdk/client-dynamodb'
import type { AttributeMap, EventTable } from '../event-table.ts'
import { LIST_KEY, PLACE_KEY } from '../format/keys.ts'
import { FORM_KEY } from '../format/table-form.ts'

/** Strongly consistent. */
export async function readForm(
  { client, tableName }: EventTable,
  signal?: AbortSignal,
): Promise<AttributeMap | undefined> {
  const Key = { [LIST_KEY]: { S: FORM_KEY[LIST_KEY] }, [PLACE_KEY]: { S: FORM_KEY[PLACE_KEY] } }
  const command = new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true })
  return (await client.send(command, signal && { abortSignal: signal })).Item
}
