import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb'
import type { EventRecord } from '../../../lib/events/record.ts'
import { type Item, itemsOf } from '../../../lib/store/format/event-items.ts'
import { DATA, LIST_KEY, PLACE_KEY, REVISIONS_LIST } from '../../../lib/store/format/keys.ts'

/** The item's attributes that form its key. */
export const itemKey = ({ [LIST_KEY]: list, [PLACE_KEY]: place }: Item): Item => ({
  [LIST_KEY]: list,
  [PLACE_KEY]: place,
})

export async function storedItems(client: DynamoDBClient, tableName: string): Promise<Item[]> {
  const items: Item[] = []
  const pages = paginateScan({ client: DynamoDBDocumentClient.from(client) }, { TableName: tableName })
  for await (const { Items } of pages) items.push(...(Items ?? []))
  return inOrder(items.filter(({ [LIST_KEY]: list }) => list !== REVISIONS_LIST))
}

/** Returns the events' items in the same order as `storedItems`. */
export const itemsOfAll = (records: readonly EventRecord[]): Item[] =>
  inOrder(records.map(itemsOf).flatMap(({ chunks, entries }) => [...chunks, ...entries]))

const inOrder = (items: Item[]) => {
  const keyed = items.map(item => ({ key: `${item[LIST_KEY]} ${item[PLACE_KEY]}`, item: comparable(item) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item)
}

/** Encodes bytes as a string, because the engine returns them as an instance of a different class. */
const comparable = (item: Item): Item => {
  const data = item[DATA]
  return data instanceof Uint8Array ? { ...item, [DATA]: Buffer.from(data).toString('base64') } : item
}
