import type { PlaceSpan } from '../events/place.ts'
import type { AttributeMap } from './event-table.ts'
import { LIST_KEY, PLACE_KEY } from './keys.ts'

export interface Partition {
  tableName: string
  list: string
  /** Only the items at these places. */
  span?: PlaceSpan
  /** At most so many items a page. */
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

interface Page<Item> {
  Items?: Item[] | undefined
  LastEvaluatedKey?: AttributeMap | undefined
}

/**
 * Reads the items of a partition page by page, by rising place and consistently. `ask` sends the Query for a page:
 * with which client, and how often it is tried, is the caller's choice.
 */
export async function* readPartition<Item>(
  { tableName, list, span, pageSize }: Partition,
  ask: (query: PageQuery) => Promise<Page<Item>>,
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
