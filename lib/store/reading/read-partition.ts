import type { PlaceSpan } from '../../events/place.ts'
import type { AttributeMap } from '../event-table.ts'
import { LIST_KEY, PLACE_KEY } from '../format/keys.ts'

export interface Partition {
  tableName: string
  list: string
  /** Reads only the items with places in this span. */
  span?: PlaceSpan
  /** The most items of a page. */
  pageSize?: number
}

/** The Query for a page. */
interface PageQuery {
  TableName: string
  KeyConditionExpression: string
  ExpressionAttributeNames: Record<string, string>
  ExpressionAttributeValues: Record<string, string>
  ConsistentRead: true
  Limit: number | undefined
  ExclusiveStartKey: AttributeMap | undefined
}

interface ItemPage<Item> {
  Items?: Item[] | undefined
  LastEvaluatedKey?: AttributeMap | undefined
}

/**
 * Reads a partition page by page, by rising place. The reads are consistent. `ask` sends the Query of each page, so the
 * caller chooses the client and the retries.
 */
export async function* readPartition<Item>(
  { tableName, list, span, pageSize }: Partition,
  ask: (query: PageQuery) => Promise<ItemPage<Item>>,
): AsyncGenerator<Item[]> {
  let after: AttributeMap | undefined
  do {
    const { Items = [], LastEvaluatedKey } = await ask({
      TableName: tableName,
      KeyConditionExpression: span ? '#list = :list AND #place BETWEEN :first AND :last' : '#list = :list',
      ExpressionAttributeNames: { '#list': LIST_KEY, ...(span && { '#place': PLACE_KEY }) },
      ExpressionAttributeValues: { ':list': list, ...(span && { ':first': span.first, ':last': span.last }) },
      ConsistentRead: true,
      Limit: pageSize,
      ExclusiveStartKey: after,
    })
    yield Items
    after = LastEvaluatedKey
  } while (after)
}
